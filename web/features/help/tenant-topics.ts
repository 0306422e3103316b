import type { Section } from "#web/features/help/topics.ts";

export const tenantSections: readonly Section[] = [
  {
    title: "Getting Started",
    topics: [
      {
        id: "notices",
        title: "Notices",
        summary: "Messages sent to you",
        text: ["Everything we sent you is kept here, as you received it, with its attachments."],
        links: ["notices"],
      },
      {
        id: "preferences",
        title: "How you hear from us",
        summary: "Email, SMS and push",
        text: [
          "Turn each channel on or off in your profile. Changes take effect immediately.",
          "The link at the end of each email does the same without signing in.",
        ],
        links: ["profile"],
      },
      {
        id: "profile",
        title: "Your details",
        summary: "Name, email, phone and password",
        text: [
          "Change them in your profile. For your email, phone or password we ask for your current password.",
        ],
        links: ["profile"],
      },
      {
        id: "closing",
        title: "Closing your account",
        summary: "Your property manager does it",
        text: [
          "If you move out, tell your property manager the day. After it, messages to everyone in your building no longer come to you.",
          "If you don't want an account, contact your property manager. Once they delete it, you can't sign in and get no more messages. What was sent to you stays on record.",
        ],
      },
    ],
  },
  {
    title: "Troubleshooting",
    topics: [
      {
        id: "no-messages",
        title: "I don't get your messages",
        summary: "Check your address and your channels",
        text: [
          "Check in your profile that your email and phone are right and that the channel is on. Look in your spam folder, too.",
          "If that doesn't help, contact your property manager.",
        ],
        links: ["profile"],
      },
    ],
  },
];
