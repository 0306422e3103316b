import type { LinksFor } from "#server/delivery/rendered.ts";

/** The links of a person's mails. Both lead to one page: its GET shows the preferences, its POST is the one-click. */
export function preferenceLinks(publicUrl: URL): LinksFor {
  return (preferencesToken) => {
    const url = new URL(`/u/${preferencesToken}`, publicUrl).href;
    return { unsubscribe: url, preferences: url };
  };
}
