import type { MessageClass } from "#contract/delivery.ts";
import type { TemplateType } from "#contract/calls/templates.ts";

type SampleTemplate = {
  name: string;
  type: TemplateType;
  class?: MessageClass;
  /** Of an email. */
  subject?: string;
  content: string;
  createdDaysAgo: number;
  archivedDaysAgo?: number;
};

const letter = (text: string) =>
  `Hello {{first_name}},\n\n${text}\n\nKind regards,\nYour team at {{property_name}}`;

/** Beside the six that every Porchlight begins with; two are archived. */
export const sampleTemplates: SampleTemplate[] = [
  {
    name: "Welcome Letter",
    type: "Email",
    subject: "Welcome to {{property_name}}",
    content: letter(
      "Welcome to your new home, {{property_unit}}.\n\n- **Keys:** your mailbox and laundry keys are in the envelope on the counter.\n- **Wi-Fi in the lobby:** ask at the front desk.\n- **Repairs:** call us or reply to this email.\n\nThe leasing office is open Monday to Friday, 9 AM to 6 PM.",
    ),
    createdDaysAgo: 390,
  },
  {
    name: "Move-Out Checklist",
    type: "Email",
    class: "transactional",
    subject: "Moving out of {{property_unit}} on {{move_out_date}}",
    content: letter(
      "We're sorry to see you go. Before **{{move_out_date}}**, please:\n\n- Book the freight elevator with us\n- Return all keys and fobs\n- Leave a forwarding address\n- Take meter readings on the last day",
    ),
    createdDaysAgo: 384,
  },
  {
    name: "Lease Renewal Offer",
    type: "Email",
    class: "transactional",
    subject: "Your lease at {{property_unit}} ends on {{lease_end}}",
    content: letter(
      "Your lease ends on **{{lease_end}}**, and we'd be happy to have you stay. Your renewal offer is attached to your account.\n\nPlease let us know by **{{reply_by}}**.",
    ),
    createdDaysAgo: 377,
  },
  {
    name: "Late Rent Notice",
    type: "Email",
    class: "transactional",
    subject: "Rent for {{property_unit}} is past due",
    content: letter(
      "Your balance of **{{balance}}** was due on {{due_date}}.\n\nIf you have paid in the meantime, thank you. If not, please call us today so that we can work something out.",
    ),
    createdDaysAgo: 365,
  },
  {
    name: "Elevator Work",
    type: "Email",
    class: "transactional",
    subject: "Elevator out of service on {{work_date}}",
    content: letter(
      "The elevator at {{property_name}} will be out of service while it is inspected.\n\n| When: {{work_date}}, {{work_time}}\n| Where: {{property_name}}\n| What to do: Please use the stairs. If that's difficult for you, call us and we'll help with groceries, strollers and appointments.",
    ),
    createdDaysAgo: 350,
  },
  {
    name: "Fire Alarm Test",
    type: "Email",
    class: "transactional",
    subject: "Fire alarm test on {{test_date}}",
    content: letter(
      "We'll test the fire alarm. You'll hear it several times, for up to two minutes.\n\n| When: {{test_date}}, {{test_time}}\n| Where: {{property_name}}, all floors\n| What to do: Nothing. You don't need to leave the building.",
    ),
    createdDaysAgo: 341,
  },
  {
    name: "Window Cleaning",
    type: "Email",
    subject: "Window cleaning from {{work_date}}",
    content: letter(
      "Our window cleaners will be at {{property_name}} from **{{work_date}}**. They work from the outside, floor by floor. Please keep windows closed and take plants off the sills.",
    ),
    createdDaysAgo: 322,
  },
  {
    name: "Annual Inspection",
    type: "Email",
    class: "transactional",
    subject: "Annual inspection of {{property_unit}} on {{inspection_date}}",
    content: letter(
      "We'll inspect smoke detectors, faucets and windows in your home. It takes about 15 minutes.\n\n| When: {{inspection_date}}, between {{inspection_time}}\n| Where: {{property_unit}}\n| What to do: You don't have to be home. Please let us know if you have pets.",
    ),
    createdDaysAgo: 301,
  },
  {
    name: "Heating Season",
    type: "Email",
    subject: "Heat is on from {{start_date}}",
    content: letter(
      "The heat at {{property_name}} will be on from **{{start_date}}**. Radiators may knock for the first day or two. If yours stays cold, reply to this email and we'll come by.",
    ),
    createdDaysAgo: 288,
  },
  {
    name: "Community Event Invitation",
    type: "Email",
    subject: "You're invited: {{event}} on {{event_date}}",
    content: letter(
      "You're invited to **{{event}}** on **{{event_date}} at {{event_time}}**, {{location}}.\n\nBring your neighbors. There will be snacks for everyone, and a table for the kids.",
    ),
    createdDaysAgo: 270,
  },
  {
    name: "Amenity Reopening",
    type: "Email",
    subject: "The {{amenity}} is open again",
    content: letter(
      "The {{amenity}} at {{property_name}} is open again from **{{open_date}}**, daily from 6 AM to 10 PM. Your key fob works as before.",
    ),
    createdDaysAgo: 254,
  },
  {
    name: "Parking Permit Renewal",
    type: "Email",
    class: "transactional",
    subject: "Renew your parking permit by {{renew_by}}",
    content: letter(
      "Your parking permit expires soon. Please renew it by **{{renew_by}}** at the leasing office. Bring your registration.",
    ),
    createdDaysAgo: 231,
  },
  {
    name: "Pet Registration",
    type: "Email",
    subject: "Please register your pet by {{register_by}}",
    content: letter(
      "Please register your pet with us by **{{register_by}}**. It helps us in an emergency, and it's required by the house rules. Registration is free.",
    ),
    createdDaysAgo: 214,
  },
  {
    name: "Quiet Hours Reminder",
    type: "Email",
    subject: "Quiet hours at {{property_name}}",
    content: letter(
      "A friendly reminder that quiet hours are from **10 PM to 7 AM**, and until 9 AM on weekends. Please use headphones and carry furniture instead of dragging it. Your neighbors will thank you.",
    ),
    createdDaysAgo: 190,
  },
  {
    name: "Recycling Guide",
    type: "Email",
    subject: "What goes where: recycling at {{property_name}}",
    content: letter(
      "- **Blue bin:** paper and flattened boxes\n- **Green bin:** glass, metal and plastic\n- **Brown bin:** food scraps\n\nBulky items are picked up on the first Thursday of the month.",
    ),
    createdDaysAgo: 171,
  },
  {
    name: "Resident Survey",
    type: "Email",
    subject: "How are we doing?",
    content: letter(
      "How are we doing? Please take three minutes to tell us what works at {{property_name}} and what doesn't: [take the survey](https://example.com/survey).\n\nThe survey is open until {{open_until}}.",
    ),
    createdDaysAgo: 150,
  },
  {
    name: "Package Room Hours",
    type: "Email",
    subject: "New hours of the package room",
    content: letter(
      "From {{start_date}}, the package room is open daily from 7 AM to 11 PM. Please pick up packages within five days.",
    ),
    createdDaysAgo: 120,
  },
  {
    name: "Package Waiting",
    type: "SMS",
    class: "transactional",
    content:
      "{{first_name}}, a package for {{property_unit}} is waiting at the front desk. Please pick it up by {{pick_up_by}}.",
    createdDaysAgo: 118,
  },
  {
    name: "Water Shutoff",
    type: "SMS",
    class: "emergency",
    content:
      "{{property_name}}: the water is off {{off_from}} because of {{cause}}. We expect it back {{back_at}}. Please keep faucets closed.",
    createdDaysAgo: 96,
  },
  {
    name: "Move Your Car",
    type: "SMS",
    class: "transactional",
    content:
      "{{property_name}}: please move your car from {{area}} by {{move_by}}. Cars left there may be towed.",
    createdDaysAgo: 61,
  },
  {
    name: "Lobby Notice",
    type: "Push",
    content: "{{property_name}}: {{notice}}",
    createdDaysAgo: 24,
  },
  {
    name: "Boiler Service",
    type: "SMS",
    class: "transactional",
    content:
      "{{property_name}}: no hot water on {{work_date}}, {{work_time}}, while we service the boiler. Thank you for your patience.",
    createdDaysAgo: 12,
  },
  {
    name: "Summer Pool Hours",
    type: "Email",
    subject: "Pool hours this summer",
    content: letter("The pool is open daily from 10 AM to 8 PM until {{last_day}}."),
    createdDaysAgo: 200,
    archivedDaysAgo: 21,
  },
  {
    name: "Lobby Renovation",
    type: "Email",
    subject: "The lobby is being renovated",
    content: letter("The lobby is being renovated until {{last_day}}. Please use the side entrance."),
    createdDaysAgo: 160,
    archivedDaysAgo: 11,
  },
];
