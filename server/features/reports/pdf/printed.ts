import type { TimelineEvent } from "#contract/calls/deliveries.ts";

/** What the printable report says, as text that only needs to be set. It crosses to the thread that does that. */

/** A label and its value. */
export type Fact = readonly [label: string, value: string];

export type PrintedHead = {
  organization: { name: string; email: string; logo: Uint8Array | null };
  title: string;
  number: number;
  /** "All times are New York time (America/New_York)." */
  zone: string;
  facts: Fact[];
  /** What a reader must not miss: a Sandbox, a run that isn't finished, people who are left out of the list. */
  notices: { title: string; text: string }[];
  /** Some of it went to the Sandbox. */
  simulated: boolean;
  people: { label: string; count: number; bad?: boolean }[];
  /** The first cell of each row is text, the others are numbers. */
  table: { head: string[]; rows: string[][] };
  definitions: Fact[];
  contents: { label: string; simulated: boolean; fields: Fact[]; text: string }[];
  attachments: { name: string; size: string; sha256: string }[];
  record: { name: string; json: string; sha256: string };
  /** How many people follow, which says about how many pages there will be. */
  listed: number;
  createdAt: Date;
};

export type PrintedSection = { title: string; note: string };

export type PrintedEvent = Pick<TimelineEvent, "kind" | "sentence" | "detail"> & { time: string };

export type PrintedPerson = {
  number: number;
  name: string;
  unit: string | null;
  /** What stood in the message in place of each field: "first_name: Mei". */
  filled: string[];
  channels: {
    label: string;
    address: string;
    /** Addresses that earlier attempts went to. */
    earlier: string[];
    simulated: boolean;
    events: PrintedEvent[];
  }[];
};

/** The parts of a report in their order: the head, then sections, each followed by its people, then the end. */
export type Part =
  | { kind: "head"; head: PrintedHead }
  | { kind: "section"; section: PrintedSection }
  | { kind: "people"; people: PrintedPerson[] }
  | { kind: "end"; note: string };

/** The answer to each part: the bytes of the document that are ready, or what went wrong. */
export type Answer = { bytes: Uint8Array } | { error: string };
