import { fold } from "#contract/text/fold.ts";
import { linkOptions, type LinkOptions } from "@tanstack/react-router";
import type { Settings } from "#contract/calls/settings.ts";

type SupportSettings = Pick<Settings, "supportEmail" | "knowledgeBaseUrl" | "supportCallUrl">;

/** One answer: `text` is what to do, a paragraph each; fields in it look like {{tenant_name}}. */
export type Topic = {
  /** In the URL of a question mark on a screen: /help#schedules */
  id: string;
  title: string;
  summary: string;
  text: readonly string[];
  links?: readonly { label: string; link: LinkOptions }[];
  /** Outside Porchlight: a page, or an email address. */
  contacts?: readonly { label: string; href: string }[];
};

export type Section = { title: string; topics: readonly Topic[] };

// Where topics lead.
export const toNewNotification = {
  label: "New Notification",
  link: linkOptions({ to: "/notifications", search: { write: "new" } }),
};
export const toNewTemplate = {
  label: "New Template",
  link: linkOptions({ to: "/templates", search: { open: "new" } }),
};
export const toNewSchedule = {
  label: "Create Schedule",
  link: linkOptions({ to: "/schedules", search: { open: "new" } }),
};
export const toNewUser = { label: "Add User", link: linkOptions({ to: "/users", search: { open: "new" } }) };
export const toImport = {
  label: "Import CSV",
  link: linkOptions({ to: "/users", search: { open: "import" } }),
};
export const toBlocked = {
  label: "Open Blocked Addresses",
  link: linkOptions({ to: "/users", search: { tab: "blocked" } }),
};
export const toSettings = { label: "Open Settings", link: linkOptions({ to: "/settings" }) };
export const toProfile = { label: "Open Profile", link: linkOptions({ to: "/profile" }) };
export const toDashboard = { label: "Open Dashboard", link: linkOptions({ to: "/" }) };
export const toNotifications = { label: "Open Notifications", link: linkOptions({ to: "/notifications" }) };
export const toTemplates = { label: "Open Templates", link: linkOptions({ to: "/templates" }) };
export const toSchedules = { label: "Open Schedules", link: linkOptions({ to: "/schedules" }) };
export const toUsers = { label: "Open User Management", link: linkOptions({ to: "/users" }) };
export const toGroups = {
  label: "Open Groups",
  link: linkOptions({ to: "/users", search: { tab: "groups" } }),
};
export const toIntegrations = { label: "Open Integrations", link: linkOptions({ to: "/integrations" }) };
export const toFailures = {
  label: "See what failed",
  link: linkOptions({ to: "/notifications", search: { status: "Failures" } }),
};

/** The sections with what an administrator has entered for support. */
export function withSupport(
  sections: readonly Section[],
  { supportEmail, knowledgeBaseUrl, supportCallUrl }: SupportSettings,
): Section[] {
  const contacts = [
    { label: `Write to ${supportEmail}`, href: supportEmail && `mailto:${supportEmail}` },
    { label: "Open the knowledge base", href: knowledgeBaseUrl },
    { label: "Schedule a support call", href: supportCallUrl },
  ].filter(({ href }) => href !== "");
  return sections.map(({ title, topics }) => ({
    title,
    topics: topics.map((topic) => (topic.id === "support" ? { ...topic, contacts } : topic)),
  }));
}

/** The topics that contain every word of the search. */
export function matchingTopics(all: readonly Section[], search: string): Section[] {
  const words = search.split(/\s+/).map(fold).filter(Boolean);
  return all
    .map(({ title, topics }) => ({
      title,
      topics: topics.filter((topic) => {
        const contacts = (topic.contacts ?? []).map(({ label }) => label);
        const text = fold([topic.title, topic.summary, ...topic.text, ...contacts].join(" "));
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter(({ topics }) => topics.length > 0);
}
