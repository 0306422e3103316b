import type { CsvField } from "#contract/text/csv-header.ts";

/** What a cell's text says, or what is wrong with it. */
export type Reading<T> = { value: T } | { reason: string };

/** Reads a cell, or keeps what is wrong with it. Undefined: it says nothing. */
export type ReadCell = <T>(field: CsvField, reader: (text: string) => Reading<T>) => T | undefined;

/** What other programs write where a person has no email address, phone number or day. */
export const NOTHING = /^(?:n\/?a|none|[-–—]+)$/i;
