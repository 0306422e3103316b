import { MEGABYTE } from "#contract/calls/attachments.ts";
import { says } from "#contract/refusals/says.ts";
import { numberText } from "#contract/text/locale.ts";

const sizeText = (bytes: number) => (bytes < MEGABYTE ? `${bytes / 1024} KB` : `${bytes / MEGABYTE} MB`);

/** A single sentence stays as written; several each get a full stop. */
function inOneLine(sentences: readonly string[]): string {
  if (sentences.length === 1) return sentences.join("");
  return sentences.map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)).join(" ");
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");
const each = (names: readonly string[], sentence: string) =>
  Object.fromEntries(names.map((name) => [name, sentence]));

/** What is wrong with a request before anyone looks at what it asks for, and what keeps the server from answering. */
export const requests = {
  "nothing-at-address": says("not-found", "Nothing was found at this address"),
  "method-not-supported": says<{ method: string; allowed: string }>(
    "method-not-allowed",
    ({ method, allowed }) => `${method} is not supported here. Use ${allowed}.`,
  ),
  "unknown-query": says<{ names: readonly string[]; accepted: readonly string[] }>(
    "invalid-input",
    ({ names, accepted }) =>
      `Unknown query parameter ${quoted(names)}. ${accepted.length > 0 ? `This call accepts ${accepted.join(", ")}.` : "This call accepts none."}`,
    { fields: ({ names }) => each(names, "Unknown query parameter") },
  ),
  "unknown-fields": says<{ names: readonly string[]; accepted: readonly string[] }>(
    "invalid-input",
    ({ names, accepted }) => `Unknown field ${quoted(names)}. This call accepts ${accepted.join(", ")}.`,
    { fields: ({ names }) => each(names, "Unknown field") },
  ),
  /** What the call's schema says of the input: `sentences` is what the whole reply says. */
  "input-not-valid": says<{ sentences: readonly string[]; fields: Record<string, string> }>(
    "invalid-input",
    ({ sentences }) => inOneLine(sentences),
    { fields: ({ fields }) => fields },
  ),
  "value-not-valid": says("invalid-input", "This value is not valid"),
  "file-larger-than": says<{ bytes: number }>(
    "too-large",
    ({ bytes }) => `This file is larger than ${sizeText(bytes)}.`,
  ),
  "request-larger-than": says<{ bytes: number }>(
    "too-large",
    ({ bytes }) => `This request is larger than ${sizeText(bytes)}, the most this call accepts`,
  ),
  "request-too-large": says("too-large", "This request is larger than the server accepts"),
  "too-many-values": says<{ most: number }>(
    "too-large",
    ({ most }) => `This request has more than ${numberText(most)} values, the most this call accepts`,
  ),
  "nested-too-deeply": says("invalid-input", "This request is nested too deeply"),
  "not-sent-as-json": says("wrong-content-type", "Send JSON, with the header Content-Type: application/json"),
  "body-empty": says("malformed-json", "The body is empty, but its Content-Type is JSON"),
  "body-not-json": says("malformed-json", "The body is not valid JSON"),
  "body-of-other-length": says("malformed-json", "The body is shorter or longer than its Content-Length"),
  "url-not-valid": says("invalid-input", "The URL of this request is not valid"),
  "url-too-long": says("too-large", "The URL of this request is too long"),
  "request-too-slow": says("too-slow", "This request took too long to arrive"),
  "request-not-valid": says("invalid-input", "This request is not valid"),
  "value-not-storable": says("invalid-input", "This request contains a value that can't be stored"),
  "changed-meanwhile": says<{ what: string }>(
    "conflict",
    ({ what }) => `This ${what} was changed in the meantime. Nothing was saved.`,
  ),
  "changed-at-once": says("conflict", "Someone else changed the same thing at the same moment. Try again."),
  "disk-full": says(
    "unavailable",
    "The database disk is full, so nothing was saved. Free up some space, then try again.",
  ),
  "database-not-answering": says("unavailable", "The database is not answering. Try again in a moment."),
  /** Our own fault; `reference` finds it in the log. */
  "server-fault": says<{ reference: string }>(
    "internal",
    ({ reference }) =>
      `Something went wrong on the server. Check whether it worked before you try again. Reference: ${reference}`,
  ),
};
