import { isLinkSlot, joined, type FieldValues, type Slot, type Template } from "./compiled.ts";
import { escapeHtml, write } from "./writing.ts";

/** What is counted of an email. Decided when its run starts. */
export type Tracked = { opens: boolean; clicks: boolean };

/** How `HtmlWriter` begins a link. Text is escaped, so nothing typed looks like it. */
const LINK = '<a href="';
const END = "</body>";

/** The recipient's own address at our server for this email. */
const OWN: Slot = { field: "@tracked", as: "html-line" };

type Link = { address: Template };

/**
 * An email's HTML with an image that shows us when it is opened, and with links that lead through our server. Links to
 * the product itself stay: no one else may see a one-time link, and unsubscribing must always work. `site`: our own
 * origin.
 */
export function trackedHtml(html: Template, { opens, clicks }: Tracked, site: string): Template {
  let n = -1;
  const pieces = partsOf(html).flatMap((part): Template => {
    if (typeof part === "string") return opens && part.includes(END) ? [...withImage(part)] : [part];
    if ("field" in part) return [part];
    n += 1;
    return clicks && leadsElsewhere(part.address, site) ? [OWN, `/${n}`] : part.address;
  });
  return joined(pieces);
}

/** Where a link of an email's HTML, the first being 0, leads a recipient with these values. Null if we don't follow it. */
export function linkAt(html: Template, n: number, values: FieldValues): string | null {
  const links = partsOf(html).filter((part): part is Link => typeof part === "object" && "address" in part);
  const link = links[n];
  if (!link || !startOf(link.address)) return null;
  const written = link.address.map((piece) => {
    if (typeof piece === "string") return unescapeHtml(piece);
    return Object.hasOwn(values, piece.field) ? write[piece.as](values[piece.field]!) : null;
  });
  return written.includes(null) ? null : (URL.parse(written.join(""))?.href ?? null);
}

/** The template with each link's address by itself. */
function partsOf(html: Template): (string | Slot | Link)[] {
  const parts: (string | Slot | Link)[] = [];
  let address: (string | Slot)[] | null = null;
  for (const piece of html) {
    if (typeof piece !== "string") {
      (address ?? parts).push(piece);
      continue;
    }
    let rest = piece;
    for (;;) {
      const found = rest.indexOf(address ? '"' : LINK);
      const end = found < 0 ? rest.length : found + (address ? 0 : LINK.length);
      if (end > 0) (address ?? parts).push(rest.slice(0, end));
      if (found < 0) break;
      rest = rest.slice(end);
      if (address) parts.push({ address });
      address = address ? null : [];
    }
  }
  return parts;
}

function withImage(text: string): Template {
  const at = text.lastIndexOf(END);
  const style = "display:block;width:1px;height:1px;border:0";
  return [
    `${text.slice(0, at)}<img src="`,
    OWN,
    `/open.gif" width="1" height="1" alt="" style="${style}">\n${text.slice(at)}`,
  ];
}

/** A web address whose host the author wrote. Where a person's detail is part of the host, only that person has it. */
function startOf([first, ...more]: Template): URL | null {
  if (typeof first !== "string" || !/^https?:\/\//i.test(first)) return null;
  const text = unescapeHtml(first);
  return more.length === 0 || /^https?:\/\/[^/?#]+[/?#]/i.test(text) ? URL.parse(text) : null;
}

function leadsElsewhere(address: Template, site: string): boolean {
  const start = startOf(address);
  const ours = address.some((piece) => typeof piece !== "string" && isLinkSlot(piece.field));
  return start !== null && start.origin !== site && !ours;
}

const CHARACTERS = new Map(["&", "<", ">", '"', "'"].map((one) => [escapeHtml(one), one]));

/** The text that `escapeHtml` was given. */
function unescapeHtml(html: string): string {
  return html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => CHARACTERS.get(entity)!);
}
