import { visibleLine } from "#contract/text/visible-text.ts";

/** What people write into a field or cell for a phone number or an email address: labels, names, several at once. */

/** One of the numbers or addresses in a text. `label`: "Home", "Work email", as written; empty if there is none. */
export type Contact = { label: string; text: string };

/** No field or cell for them is meant for more. What is behind it isn't read, so that no text takes long. */
const MAX = 1000;

/** What is between two of them. A slash and a dash are parts of numbers, too. */
const BETWEEN = /[;,|\n\r\u3001\uff0c\uff1b]+|\s[/&]\s/u;
/** A word between two of them, or in a name. */
const JOINING = /\s(?:or|and|oder|und|ou|et|o|y|e|of|en|lub|i)\s/giu;
/** A number of seven digits or more, as it stands among words. */
const NUMBER = /(?<![\p{L}\d])\+?\(?\d[\d\s().-]{5,24}\d(?![\p{L}\d])/gu;

/** Between two whole numbers. */
const WHOLE_NUMBERS = new RegExp(
  [
    // "312-555-0100/415-555-0199", "312-555-0100 - 415-555-0199"
    /(?<=\d[\d\s().-]{5,15}\d)(?:\s?[/\\]\s?|\s[-–]\s)(?=\+?\(?\d[\d\s().-]{5,15}\d)/,
    // "312-555-0100 (c) 415-555-0199 (h)"
    /(?<=^\+?\(?\d.{6,60}\([a-z]{1,10}\))\s?(?=\+?\(?\d{3})/,
    // "(c) 312-555-0100 (h) 415-555-0199"
    /(?<=^\([a-z]{1,10}\).{6,60}\d)\s(?=\([a-z]{1,10}\)\s?\+?\(?\d)/,
    // "312 555 0100 415 555 0199"
    /(?<=\d{3}\)?[\s.-]\d{3}[\s.-]\d{4})\s{1,2}(?=\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4})/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "iu",
);

/** A word right before a number: "Cell312-555-0100", "Mob+44…", "Tel.(030)…"; but in "Cell2 312…" the digit is its own. */
const TOUCHING = /(?<![\p{L}\d])(\p{L}+)[.:#]{0,2}(?=[+(]|\d{2}|\d[-.]\d)/gu;

/** Words that say which number or address it is, in lower case. A longer label has a colon. */
const words = {
  mobile:
    "m c mob mobile cell cellular cel celular móvil movil handy mobil mobiltelefon portable gsm tel.portable telemóvel telemovel cellulare komórka komorka kom mobiel 手机 手機 移动 携帯 휴대폰 sms text whatsapp iphone",
  other:
    "h w o p t f e home work office main landline phone tel tél teléfono telefono telefon telefone téléphone telefoon fijo casa trabajo privat geschäftlich arbeit büro domicile travail bureau fixe casa lavoro ufficio praca dom day evening primary secondary business email e-mail mail correo courriel 电话 電話 住宅 自宅 家庭 座机 邮箱",
  last: "mother father parent son daughter spouse wife husband fax telefax emergency notfall urgence emergencia emergenza pager 传真",
};
const kindOf = new Map(
  (["mobile", "other", "last"] as const).flatMap((kind) =>
    words[kind].split(" ").map((word) => [word, kind] as const),
  ),
);

/**
 * How likely a label's number is the one to text, lowest first: a mobile phone's, any, and one that isn't the person's
 * phone (a fax, a relative, an emergency contact).
 */
export function rankOf(label: string): 0 | 1 | 2 {
  const kinds = new Set(
    label
      .toLowerCase()
      .split(/[\s.]+/)
      .map((word) => kindOf.get(word)),
  );
  if (kinds.has("last")) return 2;
  return kinds.has("mobile") ? 0 : 1;
}

const isLabel = (text: string) =>
  text !== "" &&
  text
    .toLowerCase()
    .split(/[\s.]+/)
    .filter(Boolean)
    .every((word) => kindOf.has(word) || /^\d$|^(?:number|no|nr|phone|address)$/.test(word));

/** The numbers and addresses in a text, in its order, each with its label. */
export function contactsIn(text: string): Contact[] {
  if (text === "") return [];
  return (
    readable(text)
      .split(BETWEEN)
      .flatMap(atJoiningWords)
      .map(apart)
      .flatMap((part) => part.split(WHOLE_NUMBERS))
      // "Home 312 … Mobile: 312 …", "(312) … (312) …", "cell 312 … home 312 …"
      .flatMap((part) =>
        part.split(
          /(?<=\d)\s+(?=\p{L}+\s*:)|(?<=\d{4})\s+(?=\(\d{3}\))|(?<=\d\d)\s+(?=\p{L}[\p{L} .-]{0,30}\s\+?\(?\d[\d\s().-]{5,24}\d)/u,
        ),
      )
      .map((part) => part.replaceAll(/\s+/g, " ").trim())
      .flatMap(several)
      .map((part) => labelled(visibleLine(part)))
      .filter(({ text: value }) => value !== "")
  );
}

/** Without what is behind `MAX`, and without the one that stands there, which would be another one if it was cut. */
function readable(text: string): string {
  if (text.length <= MAX) return text;
  const start = text.slice(0, MAX);
  return start.slice(0, Math.max(0, ...Array.from(";,|\n\r").map((mark) => start.lastIndexOf(mark))));
}

/** With a space between a label and a number that touch. In an address, such a word may be a name's. */
function apart(text: string): string {
  if (text.includes("@")) return text;
  return text.replaceAll(TOUCHING, (found, word: string) =>
    kindOf.has(word.toLowerCase()) && !/^(?:tel|sms):$/i.test(found) ? `${found} ` : found,
  );
}

/** Splits "312 … or 312 …", but not "Ann and Bob 312 …". */
function atJoiningWords(text: string): string[] {
  const first = text.search(/[\d@)]/);
  const last = Math.max(...Array.from("@0123456789").map((sign) => text.lastIndexOf(sign)));
  const parts: string[] = [];
  let from = 0;
  for (const { 0: word, index } of text.matchAll(JOINING)) {
    if (first === -1 || index < first + 5 || index > last) continue;
    parts.push(text.slice(from, index));
    from = index + word.length;
  }
  return [...parts, text.slice(from)];
}

/** Splits addresses or whole numbers with only a space between them, and addresses with a slash. */
function several(text: string): string[] {
  const words = text.split(" ");
  // "ann@example.com - bo@example.com"
  const addresses = words.filter((word) => !/^[-–+]$/.test(word));
  if (addresses.length > 1 && addresses.length < words.length && addresses.every((word) => /.@./.test(word)))
    return addresses;
  const alike =
    words.every((word) => /.@./.test(word)) || words.every((word) => /^[+\d().-]{7,}$/.test(word));
  return (alike ? words : [text]).flatMap((one) => {
    const addresses = one.split(/[/\\&]/);
    return addresses.every((address) => /.@./.test(address)) ? addresses : [one];
  });
}

const tidyLabel = (label: string) => label.replaceAll(/^[\s([.:-]+|[\s)\].:-]+$/g, "");

function labelled(part: string): Contact {
  // "Mobile: …", and any other words before a colon, except a link's ("tel:", "mailto:").
  const colon = /^(?!tel:|mailto:|sms:|callto:)([\p{L}][^:：@<+\d]{0,30}\d?)\s*[:：]\s*(.*)$/isu.exec(part);
  if (colon) return { label: tidyLabel(colon[1] ?? ""), text: colon[2] ?? "" };
  const among = amongWords(part);
  if (among) return among;
  // "(m) …", "Cell …", "Home - …"; but "m.1990@example.com" and "m+1@example.com" are addresses.
  const before = /^([([]?[\p{L}][\p{L} .-]{0,30}[)\]]?)[\s.-]*(?=[(<]|[+\d](?!\S*@)|(?<=\s)\S+@)(.*)$/su.exec(
    part,
  );
  if (before && isLabel(tidyLabel(before[1] ?? "")))
    return { label: tidyLabel(before[1] ?? ""), text: before[2] ?? "" };
  // "… (mobile)", "… cell", "… - Home"
  const after = /^(.*[\d>\p{L}])(?:\s+[-–]?\s*|\s*[([])([\p{L}][\p{L} .]{0,30})[)\]]?$/su.exec(part);
  if (after && isLabel(tidyLabel(after[2] ?? "")) && /\d|@/.test(after[1] ?? ""))
    return { label: tidyLabel(after[2] ?? ""), text: after[1] ?? "" };
  return { label: "", text: part };
}

/** "Do not call 312 …", "312 … after work", "Sam at 312 … x5". The words are its label, if they can be one. */
function amongWords(part: string): Contact | null {
  const [found, another] = part.matchAll(NUMBER);
  if (!found || another || /^(?:tel|sms|callto|whatsapp):|@/i.test(part)) return null;
  const before = part.slice(0, found.index);
  if (beginsEarlier(before, found[0])) return null;
  const rest = part.slice(found.index + found[0].length);
  const extension = /^\s?(?:extension|ext|x|#)\.?\s?\d{1,7}/i.exec(rest)?.[0] ?? "";
  const after = rest.slice(extension.length);
  if (/\d/.test(after) || !/\p{L}/u.test(before + after)) return null;
  const words = tidyLabel(`${before.trim()} ${after.trim()}`);
  return { label: /^\p{L}[^:：@<+\d]{0,30}$/u.test(words) ? words : "", text: found[0] + extension };
}

/**
 * "Unit312-555-0100": the digits at an unknown word may be the area code, and without it the number is another one. In
 * "Apt5 312-555-0100", it is whole without them.
 */
function beginsEarlier(before: string, number: string): boolean {
  const last = /\S*$/u.exec(before.trimEnd())?.[0] ?? "";
  return /\p{L}[().-]?\d/u.test(last) && (/\S$/u.test(before) || number.replaceAll(/\D/g, "").length < 10);
}

const ADDRESS = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:".]+(\.[^\s@<>()[\]\\,;:".]+)+$/u;
const ADDRESS_MAX = 254;

/** The address in "ann@example.com.", "Ann Lee <ann@example.com>" or "mailto:ann@example.com?subject=…"; else null. */
export function emailIn(text: string): string | null {
  if (text.length > MAX) return null;
  const open = text.indexOf("<");
  const isNamed = open !== -1 && text.endsWith(">") && !text.slice(0, open).includes("@");
  const inBrackets = isNamed ? text.slice(open + 1, -1).trim() : text;
  const link = /^mailto:([^?]*)/i.exec(inBrackets)?.[1];
  const address = withoutEnds(link === undefined ? inBrackets : decoded(link));
  return address.length <= ADDRESS_MAX && ADDRESS.test(address) ? address : null;
}

/** Without quotes and spaces around it, and without the end of a sentence. */
function withoutEnds(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && /['"\s]/.test(text.charAt(start))) start++;
  while (start < end && /['"\s.!?]/.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** How a list of them is written, and read again: "Home: +13125550100, ann@example.com". */
export const contactsText = (contacts: readonly Contact[]): string =>
  contacts.map(({ label, text }) => (label === "" ? text : `${label}: ${text}`)).join(", ");

/** The first address in a text, and whatever else is in it. Null if it contains none. */
export function emailsIn(text: string): { email: string; others: Contact[] } | null {
  // Most texts.
  if (emailIn(text) === text && !BETWEEN.test(text)) return { email: text, others: [] };
  const contacts = contactsIn(text).map(({ label, text: written }) => ({
    label,
    text: emailIn(written) ?? written,
  }));
  const first = contacts.findIndex((contact) => ADDRESS.test(contact.text));
  const email = contacts[first]?.text;
  if (email === undefined) return null;
  const others = contacts.filter(({ text: one }, place) => place !== first && one !== email);
  return { email, others: others.filter(({ text: one }) => /@|\d{3}/.test(one)) };
}
