import { fold } from "#contract/text/fold.ts";
import type { LinkOptions } from "@tanstack/react-router";
import type { PlaceName } from "#web/domain/places.ts";
import type { Settings } from "#contract/calls/settings.ts";

type SupportSettings = Pick<Settings, "supportEmail" | "knowledgeBaseUrl" | "supportCallUrl">;

/** One answer: `text` is what to do, a paragraph each; fields in it look like {{tenant_name}}. */
export type Topic = {
  /** In the URL of a question mark on a screen: /help#schedules */
  id: string;
  title: string;
  summary: string;
  text: readonly string[];
  /** Places, or links with words of their own. */
  links?: readonly (PlaceName | { label: string; link: LinkOptions })[];
  /** Outside Porchlight: a page, or an email address. */
  contacts?: readonly { label: string; href: string }[];
};

export type Section = { title: string; topics: readonly Topic[] };

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
