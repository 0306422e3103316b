/** What a person may be known by at a push provider, besides their id here. */
export type PersonAttribute = "username" | "email";

/** The people behind push addresses, each the person's id as text. Each call may reject, as any query may. */
export type PushRecipients = {
  /** Null where nothing is on file. */
  attributeOf(address: string, attribute: PersonAttribute): Promise<string | null>;
};
