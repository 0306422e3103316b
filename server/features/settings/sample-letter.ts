import { ORGANIZATION, type SampleLetter } from "#contract/calls/settings.ts";
import { writtenDate } from "#contract/text/relative-date.ts";
import { compile, type Sender } from "#server/delivery/content/compile.ts";
import { ownReason } from "#server/delivery/content/reason.ts";
import { renderEmail, renderSms } from "#server/delivery/content/render.ts";

/** Everything that a message can say of its reader. */
const reader = {
  tenant_name: "Luis Ortega",
  first_name: "Luis",
  last_name: "Ortega",
  email: "luis@example.com",
  phone: "",
  property_unit: "Harbor View 4B",
  property_name: "Harbor View",
};

const links = { unsubscribe: "#", preferences: "#", site: "" };

/**
 * An email and a text written by what writes the real ones. Where the organization's name belongs, they have a placeholder:
 * it is still being typed.
 */
export function sampleLetter(
  settings: Sender,
  { today, withLogo }: { today: Temporal.PlainDate; withLogo: boolean },
): SampleLetter {
  const { logo: _, ...own } = settings;
  const sender: Sender = {
    ...own,
    siteName: ORGANIZATION,
    smsPrefix: own.smsPrefix || `${ORGANIZATION}:`,
    ...(withLogo && { logo: "sample" }),
  };
  const soon = today.add({ days: 2 });
  const friday = writtenDate(soon.add({ days: (12 - soon.dayOfWeek) % 7 }));
  const title = "Elevator maintenance on Friday";
  const write = (channel: "email" | "sms", content: string) =>
    compile(
      {
        title,
        subject: title,
        content,
        formatted: channel === "email",
        answers: {},
        channels: [channel],
        attachments: [],
      },
      sender,
      { key: "sample", today: writtenDate(today) },
    );
  const email = write(
    "email",
    `Hello {{first_name}},

The elevator will be out of service while it is inspected. Please use the stairs, and tell us if you need help.

| When: ${friday}, 9:00 AM to noon
| Where: {{property_name}}, Building A

Kind regards,
Your team at ${ORGANIZATION}`,
  );
  const sms = write(
    "sms",
    `The elevator in Building A is out of service on ${friday}, 9:00 AM to noon. Please use the stairs.`,
  );
  const { subject, html } = renderEmail(
    email,
    { ...reader, ...ownReason({ name: reader.tenant_name, home: reader.property_unit }) },
    links,
  );
  return { subject, html, text: renderSms(sms, reader).text };
}
