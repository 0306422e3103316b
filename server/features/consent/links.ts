import type { LinksFor } from "#server/delivery/content/compiled.ts";

/** The links in a person's emails. Both lead to one page: GET shows the preferences, POST is the one-click. */
export function preferenceLinks(publicUrl: URL): LinksFor {
  return (preferencesToken) => {
    const url = new URL(`/u/${preferencesToken}`, publicUrl).href;
    return { unsubscribe: url, preferences: url, site: publicUrl.href.replace(/\/$/, "") };
  };
}

/**
 * What anyone else who reads the message gets instead: a page that says the link is not valid. With the real link a
 * reader could change the person's preferences in their name.
 */
export function closedPreferenceLinks(publicUrl: URL): LinksFor {
  return () => preferenceLinks(publicUrl)("for-the-recipient-only");
}
