/**
 * The text of a run after it was compiled, once, when the run started. It is plain JSON, because it is frozen
 * in `content_versions.compiled` and read again by whichever worker sends the run, maybe after a restart.
 */
export type CompiledContent = {
  /** Shape of this object. A worker refuses a version that it does not know. */
  version: 1;
  /** Unique to the run and never changed: it goes into Message-IDs, so that two installations never share one. */
  key: string;
  /** Every field that any of the channels needs, each once, in order of appearance. */
  fields: readonly string[];
  email?: { subject: Template; text: Template; html: Template };
  sms?: { text: Template };
  push?: { title: Template; body: Template };
};

/** Literal strings and the slots between them, in order. Literals are already escaped for where they stand. */
export type Template = readonly (string | Slot)[];

/** Where a field's value goes, and how it is written there. */
export type Slot = { field: string; as: Writing };

/**
 * - `plain`: as it is (text parts, SMS, push)
 * - `line`: on one line, control characters removed (subject, push title)
 * - `html`: escaped, line breaks kept
 * - `linked`: like `html`, and http(s) addresses in it become links (only for what our own staff typed)
 * - `href`: percent-encoded inside an address
 */
export type Writing = "plain" | "line" | "html" | "linked" | "href";

/** Field name to value. A name that is absent is unfilled; an empty string is filled, with nothing. */
export type FieldValues = Readonly<Record<string, string>>;

/** Bytes of one attachment beside its name as the recipient shall see it. */
export type Attachment = { name: string; type: string; bytes: Uint8Array };
