/** What can identify a person at a push provider, besides their id here. */
export type PersonAttribute = "username" | "email";

/** A browser where a person turned notifications on: its endpoint, and its keys in base64url. */
export type Browser = { id: number; endpoint: string; p256dh: string; auth: string };

/** Looks up people by push address, which is the person's id as text. Rejects if a query fails. */
export type PushRecipients = {
  /** Null where nothing is on file. */
  attributeOf(address: string, attribute: PersonAttribute): Promise<string | null>;
  /** The browsers subscribed with this server key. */
  browsersOf(address: string, serverKey: string): Promise<Browser[]>;
  /** Deletes browsers that are no longer subscribed. */
  forget(browserIds: readonly number[]): Promise<void>;
};
