/** Why an address is blocked, where we say it. What staff or a provider wrote stays as they wrote it. */

/** By which its recipient opts out of an address. */
export const optOutReasons = {
  "texted-stop": "They texted STOP.",
  "texted-words": "They texted something that sounds like STOP.",
  "one-click": "They unsubscribed with the link in an email.",
  "preferences-page": "They turned it off on the preferences page.",
  profile: "They turned it off in their profile.",
} as const;

/** Reported by its provider, which doesn't say how or why. */
export const reportedReasons = {
  unsubscribed: "They unsubscribed.",
  complained: "They marked a message as spam.",
  bounced: "A message bounced.",
} as const;

/** Words that sounded like STOP, which staff confirmed. */
export const textedReason = (words: string) => `They texted: ${words}`;
