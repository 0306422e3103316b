/** What a person may be known by at a push provider, besides their id here. */
export type PersonAttribute = "username" | "email";

/** A browser in which a person turned notifications on: where its messages go, and its keys in base64url. */
export type Browser = { id: number; endpoint: string; p256dh: string; auth: string };

/** The people behind push addresses, each the person's id as text. Each call may reject, as any query may. */
export type PushRecipients = {
  /** Null where nothing is on file. */
  attributeOf(address: string, attribute: PersonAttribute): Promise<string | null>;
  /** Those that accept messages of this key. */
  browsersOf(address: string, serverKey: string): Promise<Browser[]>;
  /** They are no longer there. */
  forget(browserIds: readonly number[]): Promise<void>;
};
