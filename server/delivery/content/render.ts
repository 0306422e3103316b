import type { WrittenAs } from "#contract/delivery.ts";
import { isolated, turnsAround } from "#contract/text/isolate.ts";
import { valueOf } from "#contract/text/message-fields.ts";
import {
  isLinkSlot,
  LINK_SLOTS,
  type CompiledContent,
  type FieldValues,
  type RecipientLinks,
  type Slot,
  type Template,
} from "./compiled.ts";
import { UnfilledFieldsError } from "./compile.ts";
import { write } from "./writing.ts";

export type RenderedEmail = { subject: string; text: string; html: string };
type RenderedSms = { text: string };
type RenderedPush = { title: string; body: string };

/**
 * What one recipient reads. All three throw UnfilledFieldsError if a value is missing, and a plain Error if the run was
 * not compiled for that channel.
 */
export function renderEmail(
  content: CompiledContent,
  values: FieldValues,
  links: RecipientLinks,
): RenderedEmail {
  const { subject, text, html } = compiledFor(content, "email");
  return {
    subject: renderTemplate(subject, values, links),
    text: renderTemplate(text, values, links),
    html: renderTemplate(html, values, links),
  };
}

export function renderSms(
  content: CompiledContent,
  values: FieldValues,
  links?: RecipientLinks,
): RenderedSms {
  return { text: renderTemplate(compiledFor(content, "sms").text, values, links) };
}

export function renderPush(content: CompiledContent, values: FieldValues): RenderedPush {
  const { title, body } = compiledFor(content, "push");
  return { title: renderTemplate(title, values), body: renderTemplate(body, values) };
}

export function renderTemplate(template: Template, values: FieldValues, links?: RecipientLinks): string {
  let text = "";
  for (const piece of template) text += typeof piece === "string" ? piece : slotText(piece, values, links);
  return text;
}

/** One slot's value, escaped for its place. Throws UnfilledFieldsError. */
export function slotText(slot: Slot, values: FieldValues, links?: RecipientLinks): string {
  const value = slotValue(slot.field, values, links) ?? slot.otherwise;
  if (value === undefined) throw new UnfilledFieldsError([slot.field]);
  const written = write[slot.as](value);
  if (slot.bare || slot.as === "href" || isLinkSlot(slot.field)) return written;
  if (slot.as === "plain" || slot.as === "line") return isolated(written, slot.around);
  return turnsAround(value, slot.around) ? `<bdi>${written}</bdi>` : written;
}

export function compiledFor<Kind extends WrittenAs>(
  content: CompiledContent,
  kind: Kind,
): NonNullable<CompiledContent[Kind]> {
  if (content.version !== 1)
    throw new Error(`Compiled content of version ${String(content.version)} is not known.`);
  const compiled = content[kind];
  if (compiled === undefined) throw new Error(`The run was not compiled for ${kind}.`);
  return compiled;
}

function slotValue(
  field: string,
  values: FieldValues,
  links: RecipientLinks | undefined,
): string | undefined {
  if (isLinkSlot(field)) return links?.[LINK_SLOTS[field]];
  return valueOf(values, field);
}
