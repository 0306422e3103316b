import type { LinksFor } from "#server/delivery/content/compiled.ts";

/** The links of a person's mails. Both lead to one page: its GET shows the preferences, its POST is the one-click. */
export function preferenceLinks(publicUrl: URL): LinksFor {
  return (preferencesToken) => {
    const url = new URL(`/u/${preferencesToken}`, publicUrl).href;
    return { unsubscribe: url, preferences: url };
  };
}

/**
 * What stands in their place for anyone else who reads the message: a page that says the link is not valid. With the
 * real one a reader could change the person's consents in that person's name.
 */
export function closedPreferenceLinks(publicUrl: URL): LinksFor {
  return () => preferenceLinks(publicUrl)("for-the-recipient-only");
}
