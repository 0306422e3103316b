/** Where a change of preference came from. */
const consentSources = ["console", "profile", "preferences-page", "one-click"] as const;
export type ConsentSource = (typeof consentSources)[number];

const sentences: Record<ConsentSource, string> = {
  console: "In the console",
  profile: "In their own profile",
  "preferences-page": "On the preferences page linked in an email",
  "one-click": "One-click unsubscribe in an email",
};

const isKnown = (source: string): source is ConsentSource =>
  (consentSources as readonly string[]).includes(source);

/** The source in words; `actor` is someone else who changed it for the person. */
export function sourceSentence(source: string, actor: string | null): string {
  const sentence = isKnown(source) ? sentences[source] : source;
  return actor === null ? sentence : `${sentence}, by ${actor}`;
}
