import { visibleLine } from "#contract/visible-text.ts";

/** What people write into a field or cell for a phone number or an email address: labels, names, several at once. */

/** One of the numbers or addresses in a text. `label`: "Home", "Work email", as written; empty if there is none. */
export type Contact = { label: string; text: string };

/** What is between two of them. A slash and a dash are parts of numbers, too. */
const BETWEEN =
  /[;,|\n\r\u3001\uff0c\uff1b]+|\s[/&]\s|(?<=[\d@)].{4,})\s(?:or|and|oder|und|ou|et|o|y|e|of|en|lub|i)\s(?=.*[\d@])/giu;

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
 * phone (a fax, a relative, whom to call in an emergency).
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

/** Addresses or whole numbers with only a space between them. */
const SEVERAL = /^(?:\S+@\S+\s+)+\S+@\S+$|^(?:[+\d().-]{7,}\s+)+[+\d().-]{7,}$/;

/** The numbers and addresses in a text, in its order, each with its label. */
export function contactsIn(text: string): Contact[] {
  return (
    text
      .replaceAll(/\r\n?/g, "\n")
      .split(BETWEEN)
      // "Home 312 … Mobile: 312 …", "(312) … (312) …"
      .flatMap((part) => part.split(/(?<=\d)\s+(?=\p{L}+\s*:)|(?<=\d{4})\s+(?=\(\d{3}\))/u))
      .map((part) => part.trim())
      .flatMap((part) => (SEVERAL.test(part) ? part.split(/\s+/) : [part]))
      .map((part) => labelled(visibleLine(part)))
      .filter(({ text: value }) => value !== "")
  );
}

const tidyLabel = (label: string) => label.replaceAll(/^[\s([.:-]+|[\s)\].:-]+$/g, "");

function labelled(part: string): Contact {
  // "Mobile: …", and any other words before a colon, except a link's ("tel:", "mailto:").
  const colon = /^(?!tel:|mailto:|sms:|callto:)([\p{L}][^:：@<+\d]{0,30}\d?)\s*[:：]\s*(.*)$/iu.exec(part);
  if (colon) return { label: tidyLabel(colon[1] ?? ""), text: colon[2] ?? "" };
  // "(m) …", "Cell …", "Home - …"
  const before = /^([([]?[\p{L}][\p{L} .-]{0,30}[)\]]?)[\s.-]*(?=[+(\d<]|(?<=\s)\S+@)(.*)$/u.exec(part);
  if (before && isLabel(tidyLabel(before[1] ?? "")))
    return { label: tidyLabel(before[1] ?? ""), text: before[2] ?? "" };
  // "… (mobile)", "… cell", "… - Home"
  const after = /^(.*[\d>\p{L}])(?:\s+[-–]?\s*|\s*[([])([\p{L}][\p{L} .]{0,30})[)\]]?$/u.exec(part);
  if (after && isLabel(tidyLabel(after[2] ?? "")) && /\d|@/.test(after[1] ?? ""))
    return { label: tidyLabel(after[2] ?? ""), text: after[1] ?? "" };
  return { label: "", text: part };
}

const ADDRESS = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:".]+(\.[^\s@<>()[\]\\,;:".]+)+$/u;
const MAX = 254;

/** The address in "ann@example.com", "Ann Lee <ann@example.com>" or "mailto:ann@example.com?subject=…"; else null. */
export function emailIn(text: string): string | null {
  const inBrackets = /^[^<>@]*<\s*([^<>]+?)\s*>$/.exec(text)?.[1] ?? text;
  const link = /^mailto:([^?]*)/i.exec(inBrackets)?.[1];
  const address = (link === undefined ? inBrackets : decoded(link)).replaceAll(/^['"\s]+|['"\s]+$/g, "");
  return address.length <= MAX && ADDRESS.test(address) ? address : null;
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
