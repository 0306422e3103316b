import type { Role } from "#contract/calls/auth.ts";
import { type Channel, channelMeaning, channels } from "#contract/delivery.ts";

/** An invented person: an address at example.com, and a 555-01xx number, which belongs to no one. */
export type SamplePerson = {
  username: string;
  firstName: string;
  lastName: string;
  email: string | null;
  phone: string | null;
  role: Role;
  property: string | null;
  unit: string | null;
  /** Those they have turned on. */
  channels: Channel[];
  joinedDaysAgo: number;
  /** Null: they still live here. */
  leftDaysAgo: number | null;
  /** Null: they have moved in. */
  movesInDays: number | null;
};

type Property = { name: string; tenants: number; unit: (n: number) => string };

const flat = (perFloor: number) => (n: number) =>
  `${Math.floor(n / perFloor) + 1}${String.fromCharCode(65 + (n % perFloor))}`;

export const properties = [
  { name: "Maple Court", tenants: 92, unit: flat(8) },
  { name: "Harbor View", tenants: 71, unit: flat(6) },
  { name: "Cedar Lofts", tenants: 52, unit: flat(4) },
  { name: "Garden Row", tenants: 32, unit: (n) => String(2 * n + 1) },
] as const satisfies Property[];

export type PropertyName = (typeof properties)[number]["name"];

const firstNames =
  "Olivia Marcus Elena James Aisha Noah Mei Daniel Sofía Liam Priya Ethan Zoë Andre Hannah Mateo Ingrid Samuel Leila Victor Chloé Omar Grace Diego Naomi Henry Yuki Theo Amara Lucas Nora Rafael Ivy Jonas Camille Isaac Fatima Adrian Maya Stefan Ruth Kofi Clara Hassan Julia Tomasz Beatriz Wesley Linh Gabriel Esther Nikhil Paula Dmitri Renée Calvin Rosa Malik Teresa Owen Anika Felix Simone Arthur Xenia Patrick Lucía Jamal Miriam Bruno Deborah Karim".split(
    " ",
  );

const lastNames =
  "Bennett Okafor Castillo Whitman Rahman Lindqvist Tanaka O’Brien Núñez Feldman Iyer Kowalski Müller Baptiste Goldberg Herrera Svensson Adeyemi Haddad Petrov Laurent Farouk Sullivan Morales Nakamura Brooks Watanabe Papadakis Mensah Ferreira Hartley Ortiz Donovan Becker Moreau Levine Siddiqui Novak Delgado Ivanova Thornton Asante Romano Aziz Schneider Zieliński Carvalho Franklin Nguyen Marchetti Abrams Deshpande Vargas Sokolov Dubois Pruitt Campos Whitaker Salazar Griffin Kapoor Weiss Fontaine Caldwell Orlova Gallagher Peña Coleman Stein Bianchi Hayward Nasser Yamada Keller Olsen Pacheco Ellison Rivera Blackwood Choi Ventura Sharma Holloway Jensen Quintero Abbott Lopes Tran Winslow Mercer".split(
    " ",
  );

/** Written as their owners write them. */
const otherScripts: Record<number, Pick<SamplePerson, "firstName" | "lastName" | "username">> = {
  23: { firstName: "ليلى", lastName: "حداد", username: "layla.haddad" },
  77: { firstName: "נועם", lastName: "לוי", username: "noam.levi" },
  118: { firstName: "美咲", lastName: "田中", username: "misaki.tanaka" },
  164: {
    firstName: "Maximiliane-Charlotte",
    lastName: "Featherstonehaugh-Wolfeschlegel",
    username: "max.featherstonehaugh",
  },
};

/** The Sandbox treats these mailboxes as docs/sandbox.md says, so that there are failures to look at. */
const failing: Record<number, "bounce" | "busy" | "lost"> = {
  60: "bounce",
  71: "lost",
  88: "busy",
  149: "bounce",
};
const withoutEmail = new Set([11, 41]);
const areas = ["212", "646", "718", "917", "347"];
const NEWCOMERS = 9;
const LEFT = [
  { leftDaysAgo: 5, unit: "10C" },
  { leftDaysAgo: 12, unit: "10E" },
  { leftDaysAgo: 20, unit: "10F" },
];
const COMING = [
  { movesInDays: 4, unit: "10C" },
  { movesInDays: 16, unit: "10F" },
];

export function tenants(): SamplePerson[] {
  const people: SamplePerson[] = [];
  const used = new Set<string>();
  let name = 0;
  const nextName = (family: string | undefined) => {
    for (;;) {
      const firstName = firstNames[(name * 37) % firstNames.length]!;
      const lastName = family ?? lastNames[(name * 53) % lastNames.length]!;
      name += 1;
      const username = plain(`${firstName}.${lastName}`);
      if (used.has(username)) continue;
      used.add(username);
      return { firstName, lastName, username };
    }
  };
  for (const { name: property, tenants: size, unit } of properties) {
    let household = 0;
    for (let left: number = size; left > 0; household += 1) {
      const members = household % 4 === 1 && left > 1 ? 2 : 1;
      const first = tenant(people.length, nextName(undefined), { property, unit: unit(household) });
      people.push(first);
      if (members === 2) {
        const second = tenant(people.length, nextName(first.lastName), first);
        // Some couples have one address or one number for both.
        if (household % 24 === 5) second.email = first.email;
        if (household % 24 === 13) second.phone = first.phone;
        people.push(second);
      }
      left -= members;
    }
  }
  const more = (k: number, unit: string) =>
    tenant(people.length + k, nextName(undefined), { property: "Maple Court", unit });
  const left = LEFT.map(({ leftDaysAgo, unit }, n) => ({
    ...more(n, unit),
    joinedDaysAgo: 900 + n,
    leftDaysAgo,
  }));
  const coming = COMING.map(({ movesInDays, unit }, n) => ({
    ...more(LEFT.length + n, unit),
    joinedDaysAgo: 2 + n,
    movesInDays,
  }));
  return [...people, ...left, ...coming];
}

function tenant(
  k: number,
  given: Pick<SamplePerson, "firstName" | "lastName" | "username">,
  home: Pick<SamplePerson, "property" | "unit">,
): SamplePerson {
  const name = otherScripts[k] ?? given;
  const mailbox = failing[k] === undefined ? name.username : `${failing[k]}+${name.username}`;
  const newcomer = k % 28 === 9 ? Math.floor(k / 28) : NEWCOMERS;
  const wants: Partial<Record<Channel, boolean>> = {
    email: k % 61 !== 30,
    sms: k % 19 !== 7,
    push: k % 3 === 0,
  };
  return {
    ...name,
    email: withoutEmail.has(k) ? null : `${mailbox}@example.com`,
    phone: k % 17 === 5 ? null : phone(k),
    role: "tenant",
    property: home.property,
    unit: home.unit,
    channels: channels.filter((channel) => wants[channel] ?? channelMeaning[channel].onByDefault),
    joinedDaysAgo: newcomer < NEWCOMERS ? 4 + newcomer * 3 : 70 + ((k * 29) % 1400),
    leftDaysAgo: null,
    movesInDays: null,
  };
}

const phone = (k: number) =>
  `+1${areas[k % areas.length]}55501${String(Math.floor(k / areas.length)).padStart(2, "0")}`;

/** For usernames and addresses: "zoe.muller". */
const plain = (text: string) =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z.]/g, "");

const team: [firstName: string, lastName: string][] = [
  ["Dana", "Whitfield"],
  ["Marcus", "Bell"],
  ["Priya", "Raman"],
  ["Tomás", "Herrera"],
  ["Grace", "Odhiambo"],
  ["Leo", "Ashworth"],
  ["Hannah", "Weissman"],
];

/** The first is the property manager, whose name most messages have. */
export function staff(): SamplePerson[] {
  return team.map(([firstName, lastName], n) => {
    const username = plain(`${firstName}.${lastName}`);
    return {
      username,
      firstName,
      lastName,
      email: `${username}@example.com`,
      phone: `+133255501${String(n).padStart(2, "0")}`,
      role: "staff",
      property: null,
      unit: null,
      channels: ["email", "sms"],
      joinedDaysAgo: 1500 - n * 90,
      leftDaysAgo: null,
      movesInDays: null,
    };
  });
}
