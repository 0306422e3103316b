import { linkOptions } from "@tanstack/react-router";
import type { Section } from "#web/features/help/topics.ts";

const toNewNotification = {
  label: "New Notification",
  link: linkOptions({ to: "/notifications", search: { write: "new" } }),
};

export const staffSections: readonly Section[] = [
  {
    title: "Getting Started",
    topics: [
      {
        id: "dashboard",
        title: "Dashboard",
        summary: "What needs your attention",
        text: [
          "Needs attention comes first: people who weren't reached, runs that were missed, schedules that can't run, and accounts that are paused. Each has a button that takes you to the fix.",
          "If there is nothing left to do, dismiss a message or a run. That takes it off everyone's dashboard. A message comes back if it misses more people later, such as when an email bounces.",
          "The figures count the last 30 days and compare them with the 30 days before. Select one to see what it counts.",
          "The delivery trend shows what became of every message, day by day. View it as a table to read the numbers.",
        ],
        links: ["dashboard"],
      },
      {
        id: "notifications",
        title: "Creating notifications",
        summary: "Send immediately or schedule",
        text: [
          "Choose a template or write a custom message. Fields such as {{tenant_name}} and {{due_date}} are filled in for each person.",
          "Does every person have an amount of their own? Choose a file with a row for each person where the message asks for its details. The check shows what is wrong, cell by cell, and the message as each person gets it.",
          "Choose groups, individuals or homes, then email, SMS or push. The dialog counts who gets it and shows who can't be reached, and why.",
          "Send immediately, schedule it for later, or make it recurring. Until it goes out you can change or cancel it.",
          "Is it urgent? Start from the Emergency Notification template. Its messages have high priority and go ahead of everything else, even during a large send.",
        ],
        links: [toNewNotification, "notifications"],
      },
      {
        id: "templates",
        title: "Templates",
        summary: "Messages with dynamic fields",
        text: [
          "A placeholder in double curly braces becomes a detail of the person or of the occasion: {{tenant_name}}, {{due_date}}, {{amount}}, {{property_name}}, {{event_name}}, {{event_date}}, {{event_time}}, {{location}}, {{event_description}}, or any name of your own.",
          "The home and its dates fill themselves: {{unit}}, {{building}}, {{floor}}, {{move_in_date}}, {{move_out_date}} and {{lease_end}}.",
          "Details on file are filled in automatically. The others are asked for when you send.",
          "Preview a template as any person, send a test to yourself, and compare or restore earlier versions.",
        ],
        links: ["newTemplate", "templates"],
      },
      {
        id: "schedules",
        title: "Schedules",
        summary: "Daily, weekly, monthly or one-time",
        text: [
          "A schedule has a name, a recurrence (daily, weekly, monthly or one-time; monthly has a day of the month), a time and an end time, a template, recipients and a switch that makes it active.",
          "It can also run on a resident's date: some days before, on or after their move-in, their move-out or the end of their lease. Each person gets it once for each date. If a date comes on file too late, the person is listed, and you decide whether to send.",
          "Recipients are looked up at each run, so people who moved in since are included.",
          "A run that couldn't start in time waits on the dashboard. Send it now, or dismiss it. After an outage, you can dismiss them all at once.",
        ],
        links: ["newSchedule", "schedules"],
      },
      {
        id: "properties",
        title: "Properties",
        summary: "Buildings, homes and who lives in them",
        text: [
          "A property has homes, and each home has people with dates: move-in, move-out and the lease's end. Homes appear as people get a property and unit, and you can add empty ones.",
          "On the property's page, floors and stacks are a grid that shows which homes your messages can reach. Select homes, a floor or a stack there, and choose New Notification.",
          "You can also send to homes from any message: under Recipients, choose Homes, then buildings, floors, stacks or single homes. Whoever lives there when it is sent gets it.",
          "With One message per home, one person in each home gets it on each channel: a leaseholder first, or whoever can be reached. The others are listed as reached through them.",
          "Floor, stack and building are read from names like 1204, 4B, A-204 or PH2. Select several homes to correct them at once.",
          "When someone moves in or out, enter the day. Messages to all tenants, a property or any other group by rule go to whoever lives there when they are sent.",
          "The history stays with the home: who lived there on any day, and every notice that went to it.",
          "If one property is written in two ways, merge the two. You can separate them again.",
        ],
        links: ["properties"],
      },
      {
        id: "users",
        title: "Users",
        summary: "People, groups and preferences",
        text: [
          "Each person has a name, email, phone, property and unit, groups, and the channels they accept. Their page shows their homes with the move-in date, the move-out date and the lease's end.",
          "If you change someone's property or unit, say whether you correct it or they moved. A move today keeps their old home in the history.",
          "Groups are picked by hand or follow a rule, such as all tenants of one property, building, floor or stack.",
          "To add a building at once, import an Excel, ODS or CSV file with columns such as First Name, Last Name, Email, Phone and Unit Number. You map the columns, preview every row and choose default groups before anything is saved.",
        ],
        links: ["newUser", "import", "users", "groups"],
      },
      {
        id: "integrations",
        title: "Integrations",
        summary: "Email, SMS and push services",
        text: [
          "Connect your own accounts for email, SMS and push. Enter the provider's credentials and the default sender, test the connection, and send yourself a test message.",
          "Connect several accounts for a channel and they share the work. If one fails, the others take over.",
          "People and units come from your property-management software by CSV: its export files are recognized.",
          "Without an account, a channel delivers to the Sandbox. Everything works, but no one outside receives anything.",
        ],
        links: ["integrations"],
      },
      {
        id: "settings",
        title: "Settings",
        summary: "Organization, channels and security",
        text: [
          "General has the site's name, time zone and logo. Every time on screen and in messages is in that time zone.",
          "Notifications turns channels on or off for everyone. Security has the rules for passwords, sessions and two-factor authentication.",
          "Staff can read the settings. Only administrators can change them, and each change is in the Audit Log.",
        ],
        links: ["settings"],
      },
      {
        id: "audit-log",
        title: "Audit Log",
        summary: "Who changed what, and when",
        text: [
          "Every change to people, messages and settings is recorded with the values before and after, and so are sign-ins, exports and refusals.",
          "Search it, or filter by person, kind and time. Administrators open it from Settings.",
        ],
        links: ["settings"],
      },
      {
        id: "blocked",
        title: "Blocked addresses",
        summary: "Addresses that messages don't go to",
        text: [
          "An address is blocked when its mailbox doesn't exist, when someone marks a message as spam or unsubscribes, or when you block it yourself.",
          "Unblock it once the reason is gone. Don't unblock someone who doesn't want your messages.",
        ],
        links: ["blocked"],
      },
      {
        id: "your-profile",
        title: "Your profile",
        summary: "Password, channels and sign-in",
        text: [
          "Change your name, email and phone, choose how you get notices, and set a new password.",
          "Turn on two-factor authentication, and sign out browsers that you no longer use.",
        ],
        links: ["profile"],
      },
      {
        id: "shortcuts",
        title: "Keyboard shortcuts",
        summary: "Find anything quickly",
        text: [
          "Press Ctrl+K, or ⌘K on a Mac, to search screens, actions, people, notifications, templates, schedules and groups from anywhere. Arrow keys choose and Enter opens.",
          "Press / to search the list on screen, and Escape to close a dialog. We ask before anything you typed is lost.",
        ],
      },
    ],
  },
  {
    title: "Common Use Cases",
    topics: [
      {
        id: "rent-reminder",
        title: "Monthly rent reminder",
        summary: "Day 25 at 9:00 AM",
        text: [
          "Create a schedule: monthly, day 25, 9:00 AM, the Rent Reminder template, All Tenants.",
          "Set the due date to day 1 of the next month. It's updated for each run.",
        ],
        links: ["newSchedule"],
      },
      {
        id: "emergency",
        title: "Emergency maintenance alert",
        summary: "All channels, at once",
        text: [
          "Create a notification from the Emergency Notification template, choose the property's group, or only the homes it concerns, and every channel, and send immediately. It has High Priority, so it goes ahead of all other messages. You can set that for any message, template and schedule.",
          "Stay on its page: it shows live who has been reached. Call the people it lists as not reached.",
        ],
        links: [toNewNotification],
      },
      {
        id: "onboarding",
        title: "Onboarding residents",
        summary: "A sign-in link, and a welcome on the right day",
        text: [
          "Add the person, and an invitation with a link to choose their own password is on its way. For people you imported, choose “Send credentials”.",
          "Enter their move-in date under Properties: open the home and choose Move in. They join the group of their property on that day, and choose in their profile how they want to hear from you.",
          "To welcome everyone at the right time, create a schedule that runs on a resident's date, such as 3 days after move-in at 9:00 AM, with a welcome letter as its template.",
        ],
        links: ["newUser", "properties", "newSchedule"],
      },
      {
        id: "csv-import",
        title: "CSV import",
        summary: "Add a building in one go",
        text: [
          "Choose Import CSV on the dashboard, or Import/Export under User Management. Existing people are matched by username, email or phone and updated, and blank cells change nothing. If a match isn't certain, you decide.",
          "Excel and OpenDocument files work, too. They open in a screen of their own, which knows title rows, co-tenants and statuses, and shows only the cells that need you. You have a day to finish.",
          "Rows that can't be imported are listed with the reason, and you can download them to correct.",
        ],
        links: ["import"],
      },
      {
        id: "proof",
        title: "Proof that a notice was sent",
        summary: "A report as PDF or CSV",
        text: [
          "Open the notification and choose Download Report. The PDF is for printing or handing over, to a lawyer for example. It has the exact content, who sent it and when, and for each person the address, every attempt and answer, and why someone was skipped. People who weren't reached come first.",
          "The PDF has a SHA-256 on every page. It's the fingerprint of the content, which is attached to the PDF as content.json. Anyone can check it: save that file and compare its SHA-256 with the printed one.",
          "The PDF lists up to 5,000 people. The CSV lists everyone, with a row per recipient and channel, for a spreadsheet.",
          "Reports on messages that only went to the Sandbox are marked SIMULATED.",
        ],
        links: [
          {
            label: "See what was sent",
            link: linkOptions({ to: "/notifications", search: { time: "30-days" } }),
          },
        ],
      },
      {
        id: "event",
        title: "Community event notification",
        summary: "Invite, then remind",
        text: [
          "Make a template with {{event_name}}, {{event_date}}, {{event_time}}, {{location}} and {{event_description}}, and send it two weeks ahead.",
          "Schedule a short text message for the day before.",
        ],
        links: ["newTemplate", "newSchedule"],
      },
    ],
  },
  {
    title: "Best Practices",
    topics: [
      {
        id: "timing",
        title: "Timing",
        summary: "When to send",
        text: [
          "Send maintenance notices at least 48 hours ahead, and rent reminders 5-7 days before the due date.",
          "Avoid nights and early mornings unless it's an emergency.",
        ],
      },
      {
        id: "content",
        title: "Content",
        summary: "What to write",
        text: [
          "Say what happens, when, and what to do. Keep each message to one subject.",
          "Sign with a name and a way to reach you.",
        ],
      },
      {
        id: "channel",
        title: "Channel",
        summary: "How to reach people",
        text: [
          "Use SMS for what can't wait. Use email for details and attachments. Use push for reminders.",
          "Send what everyone must know on more than one channel. A person reached on one of them counts as reached.",
        ],
      },
    ],
  },
  {
    title: "Troubleshooting",
    topics: [
      {
        id: "not-delivered",
        title: "A message wasn't delivered",
        summary: "Each person shows the reason",
        text: [
          "Open the notification. Under “Not reached” each person shows the reason and what to do, such as adding a phone number.",
          "Fix the reason, then retry. People who were reached don't get it twice.",
          "If retrying can't help, choose “Write to the … not reached”. It starts a copy for them on the channels that reach them.",
        ],
        links: ["failures"],
      },
      {
        id: "did-not-run",
        title: "A schedule didn't run",
        summary: "Check that it is active",
        text: [
          "Open the schedule: it shows its next run, its history, and what keeps it from running, such as a deleted group.",
          "A missed run can be sent from the dashboard.",
        ],
        links: ["schedules"],
      },
      {
        id: "paused-service",
        title: "A service is paused",
        summary: "Fix its settings",
        text: [
          "A provider that refuses our messages is paused, and a banner quotes its reason. The messages wait, or go out through your other accounts.",
          "Fix its settings under Integrations. What waits is then sent.",
        ],
        links: ["integrations"],
      },
      {
        id: "support",
        title: "Support",
        summary: "Who can help",
        text: [
          "An administrator of your organization can change settings, integrations and roles. The site email in Settings is where your recipients' replies go.",
          "A support email, a knowledge base and a link for scheduling a support call appear here once an administrator enters them in Settings.",
        ],
        links: ["settings"],
      },
    ],
  },
];
