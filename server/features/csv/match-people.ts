import { fold } from "#contract/text/fold.ts";
import { contactsIn } from "#contract/text/contact-text.ts";
import { unitKey } from "#contract/text/unit-name.ts";
import type { Db } from "#server/db/database.ts";
import { findByContact, findByUsername, type KnownPerson } from "#server/features/csv/find-people.ts";
import { mapInSlices } from "#server/features/csv/map-in-slices.ts";
import type { PersonCells } from "#server/features/csv/read-row.ts";
import { finderById, idsIn } from "#server/features/csv/their-ids.ts";
import type { LaterMove } from "#server/places/move-later.ts";

/** The person a row is about. */
export type Match = {
  /** The person on file; undefined for someone new. */
  person?: KnownPerson;
  /** People on file who may be meant, for a manager to decide. */
  candidates: readonly KnownPerson[];
  /** An earlier row is for the same person. */
  duplicate: boolean;
  /** The row is only about the home that the person has from a day to come. */
  later: LaterMove | null;
};

type LaterOf = (known: KnownPerson, row: PersonCells) => LaterMove | null;

type How = { startedAt: Date; lock: boolean; ids: readonly string[]; laterOf: LaterOf };

/** A row to match, with the answer to an earlier "undecided": a candidate's id, or "new". */
type Row = { person: PersonCells; decision: string };

/**
 * Finds the person on file for each row. A username decides alone; a row without one is matched by its name together
 * with email, phone or home. Someone who has the row's address under another name is a candidate, unless they have a
 * row in this file or this import created them: then the two share the address.
 * @param lock keeps the people found unchanged until the transaction ends
 * @param ids the details by which another program tells people apart: an id decides before names and addresses
 * @param laterOf what a row says of someone's next home: it has a row beside the one of their home
 */
export async function matchPeople(
  db: Db,
  rows: readonly Row[],
  { startedAt, lock, ids, laterOf }: How,
): Promise<Match[]> {
  const wanted = await mapInSlices(rows, ({ person, decision }) => ({
    traits: traitsOf({ ...person, ...person.home }),
    decision,
  }));
  const usernames = rows.flatMap(({ person }) => person.username ?? []);
  const byUsername = await findByUsername(db, usernames, lock);
  const people = rows.map(({ person }) => byUsername.get(person.username ?? ""));

  const open = rows.map(({ person }) => person).filter(({ username }) => username === undefined);
  const onFile = new TraitsIndex();
  const found = await findByContact(
    db,
    { ...contactsOf(open), ids: open.flatMap(({ details }) => idsIn(details, ids)) },
    lock,
  );
  const withId = finderById(found, ids);
  await mapInSlices(found, (known) => {
    for (const traits of waysTo(traitsOf(known), otherAddresses(known))) onFile.add({ ...traits, known });
  });
  const similar = await mapInSlices(wanted, ({ traits }, place): Traits[] => {
    if (traits.username !== "") return [];
    people[place] = withId(rows[place]!.person);
    if (people[place]) return [];
    const others = (rows[place]?.person.others ?? []).map(({ text }) => text);
    const ways = waysTo(traits, others).map((way) => onFile.sameAs(way));
    const same = ways.find((found) => found.length > 0) ?? [];
    if (same.length !== 1) return same.length > 1 ? same : onFile.sharingAddress(traits);
    people[place] = same[0]?.known;
    return [];
  });

  const claimed = new Set(people.map((person) => person?.id));
  const earlier = new EarlierRows();
  return mapInSlices(wanted, ({ traits, decision }, place) => {
    const others = decision === "new" ? [] : (similar[place] ?? []);
    const candidates = others.flatMap(({ known }) =>
      known && !claimed.has(known.id) && known.createdAt < startedAt ? [known] : [],
    );
    const person = people[place] ?? candidates.find(({ id }) => String(id) === decision);
    const later = person ? laterOf(person, rows[place]!.person) : null;
    if (person && later) return { person, candidates: [], duplicate: false, later };
    const entry = { ...traits, ...(person && { known: person }) };
    const duplicate = earlier.hasDuplicateOf(entry);
    earlier.add(entry);
    return { ...(person ? { person, candidates: [] } : { candidates }), duplicate, later };
  });
}

/** What identifies a person, folded; "" where unknown. */
type Traits = {
  username: string;
  /** The first word of the first name: "Ana María" and "Ána" are one name. */
  first: string;
  last: string;
  fullName: string;
  email: string;
  phone: string;
  home: string;
  known?: KnownPerson;
};

type Text = string | null | undefined;
const lower = (text: Text) => text?.trim().toLowerCase() ?? "";
const plain = (text: Text) => fold(text ?? "");

type Described = {
  [
    Field in "username" | "firstName" | "lastName" | "email" | "phone" | "propertyUnit" | "property" | "unit"
  ]?: Text;
};

function traitsOf({ username, firstName, lastName, email, phone, ...home }: Described): Traits {
  return {
    username: lower(username),
    first: plain(firstName).split(/\s+/, 1)[0] ?? "",
    last: plain(lastName),
    fullName: firstName && lastName ? plain(`${firstName} ${lastName}`) : "",
    email: lower(email),
    phone: lower(phone),
    home: homeKey(home),
  };
}

/** However it is written: "Elm Court / 4B" is "Elm Court 4b". */
const homeKey = ({ propertyUnit, property, unit }: Described) =>
  property ? `${fold(property)}\t${unitKey(unit ?? "")}` : plain(propertyUnit);

/** A person's other numbers and addresses. */
export const otherAddresses = ({ otherContacts }: { otherContacts: string }) =>
  contactsIn(otherContacts).map(({ text }) => text);

/** The person by their own address and number, and by each of the others in its place. */
function waysTo(traits: Traits, others: readonly string[]): Traits[] {
  return [
    traits,
    ...others.map((other) => ({ ...traits, [other.includes("@") ? "email" : "phone"]: lower(other) })),
  ];
}

/** Folded, and ignoring all but the first word of first names. */
export function haveSameName(one: Described, other: Described): boolean {
  const [a, b] = [traitsOf(one), traitsOf(other)];
  return a.fullName !== "" && a.first === b.first && a.last === b.last;
}

/**
 * Both have the same name, and the best detail on file for both agrees: the email, otherwise the phone number,
 * otherwise the home.
 */
function isSamePerson(row: Traits, other: Traits): boolean {
  if (row.first && row.first !== other.first) return false;
  if (row.last && row.last !== other.last) return false;
  if (row.email && other.email) return row.email === other.email;
  if (row.phone && other.phone) return row.phone === other.phone;
  return row.fullName !== "" && row.home === other.home;
}

function contactsOf(people: readonly PersonCells[]) {
  return {
    emails: people.flatMap(({ email, others }) => [email ?? [], others.map(({ text }) => text)].flat()),
    phones: people.flatMap(({ phone, others }) => [phone ?? [], others.map(({ text }) => text)].flat()),
    homes: people.flatMap(({ firstName, lastName, home }) =>
      firstName && lastName
        ? spellingsOf(home).map((text) => ({ name: `${firstName} ${lastName}`, home: text }))
        : [],
    ),
  };
}

/** How a home is usually written in one text. */
function spellingsOf(home: PersonCells["home"]): string[] {
  if (!home) return [""];
  const { propertyUnit, property, unit } = home;
  if (property === null || unit === null) return [propertyUnit];
  return [
    ...new Set([propertyUnit, ...[" / ", " ", ", ", " - "].map((between) => property + between + unit)]),
  ];
}

/** An address shared by more people than this, such as the office's or a placeholder, identifies no one. */
const HOUSEHOLD = 10;

/** People by what they may have in common. Never compares everyone with everyone. */
class TraitsIndex {
  readonly #lists = new Map<string, Traits[]>();
  /** Not in a list yet: in a file with usernames no one is looked for. */
  #added: Traits[] = [];

  add(traits: Traits): void {
    this.#added.push(traits);
  }

  /**
   * Everyone who seems to be the same person; of a crowd only the first few. Beside an address, half a name is enough.
   */
  sameAs(traits: Traits): Traits[] {
    return traits.fullName === ""
      ? this.sharingAddress(traits).filter((other) => isSamePerson(traits, other))
      : this.ofSameName(traits);
  }

  /** People of one full name whose best detail on file for both agrees. */
  ofSameName(traits: Traits): Traits[] {
    return this.#isEmpty() ? [] : this.#find(samePersonKeys(traits));
  }

  /** The household with the same email address or phone number. */
  sharingAddress(traits: Traits): Traits[] {
    this.#list();
    return this.#find(addressKeys(traits).filter((key) => (this.#lists.get(key)?.length ?? 0) <= HOUSEHOLD));
  }

  #isEmpty(): boolean {
    return this.#lists.size === 0 && this.#added.length === 0;
  }

  #list(): void {
    for (const traits of this.#added) {
      for (const key of [...addressKeys(traits), ...sameNameKeys(traits)]) {
        const list = this.#lists.get(key);
        // One more than a household proves that it is not one.
        if (!list) this.#lists.set(key, [traits]);
        else if (list.length <= HOUSEHOLD) list.push(traits);
      }
    }
    this.#added = [];
  }

  #find(keys: readonly string[]): Traits[] {
    this.#list();
    const found = keys.flatMap((key) => this.#lists.get(key) ?? []);
    return [...new Map(found.map((traits) => [traits.known?.id ?? traits, traits])).values()];
  }
}

/** The earlier rows, to see whether any is about the same person. */
class EarlierRows {
  readonly #ids = new Set<number>();
  readonly #usernames = new Set<string>();
  readonly #withUsername = new TraitsIndex();
  readonly #others = new TraitsIndex();

  add(row: Traits): void {
    if (row.known) this.#ids.add(row.known.id);
    else if (row.username) {
      this.#usernames.add(row.username);
      this.#withUsername.add(row);
    } else this.#others.add(row);
  }

  /** Two rows with different usernames are two people, such as a father and a son of one name. */
  hasDuplicateOf(row: Traits): boolean {
    if (row.known) return this.#ids.has(row.known.id);
    if (this.#others.ofSameName(row).length > 0) return true;
    return row.username ? this.#usernames.has(row.username) : this.#withUsername.ofSameName(row).length > 0;
  }
}

function addressKeys({ email, phone }: Traits): string[] {
  return [...(email ? [`email ${email}`] : []), ...(phone ? [`phone ${phone}`] : [])];
}

/** The keys to find someone of this name by. Each key includes what else is known, so that a list has no strangers. */
function sameNameKeys(traits: Traits): string[] {
  return nameKeys(traits, [...addressKeys(traits), `home ${traits.home}`], kindOf(traits));
}

/** By email if both have one, otherwise by phone if both have one, otherwise by home, as `isSamePerson` compares. */
function samePersonKeys(traits: Traits): string[] {
  const { email, phone, home } = traits;
  return ["", "email", "phone", "email phone"].flatMap((knownOfOther) => {
    const both = (field: string, value: string) => value !== "" && knownOfOther.includes(field);
    const key = both("email", email)
      ? `email ${email}`
      : both("phone", phone)
        ? `phone ${phone}`
        : `home ${home}`;
    return nameKeys(traits, [key], knownOfOther);
  });
}

const kindOf = ({ email, phone }: Traits) => [email && "email", phone && "phone"].filter(Boolean).join(" ");

function nameKeys({ fullName, first, last }: Traits, keys: readonly string[], knownOf: string): string[] {
  return fullName === "" ? [] : keys.map((key) => `${key}\n${first} ${last}\n${knownOf}`);
}
