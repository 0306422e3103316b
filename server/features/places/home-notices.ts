import { Readable } from "node:stream";
import { sql } from "kysely";
import Papa from "papaparse";
import { monthText } from "#contract/calls/archive.ts";
import type { HomeDetail, HomeNotice, ResidencyRow } from "#contract/calls/places.ts";
import { deliveryStatusMeaning } from "#contract/delivery.ts";
import { lives, residencyRoleText, standingOn } from "#contract/homes.ts";
import { dayIn } from "#contract/recurrence.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { guardFormula } from "#contract/text/csv-cells.ts";
import { noticesToHome, readHomeNotices } from "#server/activity/home-notices.ts";
import type { Db } from "#server/db/database.ts";
import { readHome } from "#server/features/places/read-home.ts";
import type { File, Page } from "#server/http/route.ts";
import { zoneOf } from "#server/places/today.ts";

type Question = { page: number; pageSize: number; day?: string | undefined };

/** One page of the notices that went to a home. Throws not-found. */
export async function listHomeNotices(
  db: Db,
  id: number,
  { page, pageSize, day }: Question,
): Promise<Page<HomeNotice>> {
  const { span } = await spanOf(db, id, day);
  const found = await noticesToHome(db, id, span);
  const shown = found.slice((page - 1) * pageSize, page * pageSize);
  return { rows: await readHomeNotices(db, shown), total: found.length };
}

/** A day in the zone of the home's property; null: all of time. Throws not-found. */
async function spanOf(
  db: Db,
  id: number,
  day: string | undefined,
): Promise<{ zone: string; span: { from: Date; to: Date } | null }> {
  const { rows } = await sql<{ zone: string; from: Date; to: Date }>`
    SELECT ${zoneOf("p")} AS zone, ${day ?? null}::date::timestamp AT TIME ZONE ${zoneOf("p")} AS from,
      (${day ?? null}::date + 1)::timestamp AT TIME ZONE ${zoneOf("p")} AS to
    FROM units h JOIN properties p ON p.id = h.property_id WHERE h.id = ${id} AND h.merged_into IS NULL`.execute(
    db,
  );
  if (!rows[0]) throw refusal("no-such-home");
  const { zone, from, to } = rows[0];
  return { zone, span: day === undefined ? null : { from, to } };
}

/** The same as a file. Throws not-found. */
export async function homeNoticesFile(db: Db, id: number, { day }: Pick<Question, "day">): Promise<File> {
  const home = await readHome(db, id);
  const { zone, span } = await spanOf(db, id, day);
  const found = await noticesToHome(db, id, span);
  const name = [home.property.name, home.name, "notices", day].filter(Boolean).join(" ");
  return {
    name: `${Array.from(name).slice(0, 100).join("")}.csv`,
    type: "text/csv; charset=utf-8",
    bytes: Readable.from(lines(db, { home, zone, found })),
  };
}

const header = [
  "Sent",
  "Notice",
  "Person",
  "Role",
  "Lived here from",
  "Lived here until",
  "Channel",
  "Address",
  "Outcome",
  "Reason",
  "Accepted",
  "Delivered",
  "Simulated",
];

// Read in pages, so that ten years take no more memory than one.
const PAGE = 100;

type Found = Awaited<ReturnType<typeof noticesToHome>>;

/** Times are UTC; formulas are defused for spreadsheets. */
async function* lines(
  db: Db,
  { home, zone, found }: { home: HomeDetail; zone: string; found: Found },
): AsyncGenerator<string> {
  yield `\uFEFF${toLine(header)}`;
  if (home.archivedThrough) {
    const note = `Delivery details up to ${monthText(home.archivedThrough)} may be archived. They are not in this file.`;
    yield toLine([note, ...header.slice(1).map(() => "")]);
  }
  for (let from = 0; from < found.length; from += PAGE) {
    const notices = await readHomeNotices(db, found.slice(from, from + PAGE));
    yield notices.flatMap((notice) => rowsOf(notice, home.residents, zone).map(toLine)).join("");
  }
}

const toLine = (cells: string[]) => `${Papa.unparse([cells.map(guardFormula)])}\r\n`;

function rowsOf(
  { at, title, people }: HomeNotice,
  residents: readonly ResidencyRow[],
  zone: string,
): string[][] {
  const day = dayIn(zone, new Date(at));
  return people.flatMap(({ id, name, deliveries }) => {
    const ever = residents.filter(({ personId, role }) => personId === id && lives(role));
    // Someone may have lived here twice. Who moved while the notice went out is shown with all of their days.
    const then = ever.filter((one) => standingOn(day, one) === "now");
    const here = then.length > 0 ? then : ever;
    return deliveries.map((delivery) => [
      at,
      title,
      name,
      joined(here.map(({ role }) => residencyRoleText[role])),
      joined(here.map(({ firstDay }) => firstDay ?? "")),
      joined(here.map(({ lastDay }) => lastDay ?? "")),
      delivery.channel,
      delivery.address ?? "",
      deliveryStatusMeaning[delivery.status].label,
      delivery.reason === null ? "" : delivery.sentence,
      delivery.sentAt ?? "",
      delivery.deliveredAt ?? "",
      delivery.simulated ? "yes" : "no",
    ]);
  });
}

const joined = (parts: readonly string[]) => parts.filter(Boolean).join(", ");
