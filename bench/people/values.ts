import { sql } from "kysely";
import type { ValuesOverview } from "#contract/calls/values.ts";
import type { Db } from "#server/db/database.ts";
import { peopleRows } from "./rows.ts";
import type { CallApi } from "./web-role.ts";

/** How long it takes to read a file with a value for each person, to find whom its rows are for, and to correct it. */
export async function timeValues(db: Db, call: CallApi, people: number): Promise<void> {
  await giveHomes(db);
  // One line has the names.
  const all = peopleRows(0, people - 1);
  const sheet = (header: string, finds: (row: Record<string, string>, n: number) => string | undefined) =>
    Buffer.from(
      [
        `${header},Amount,Due date`,
        ...all.map((row, n) => `"${finds(row, n) ?? ""}","$${(1000 + n / 100).toFixed(2)}",12/1/2026`),
      ].join("\n"),
    );
  const files = {
    username: sheet("Username", (row) => row["username"]),
    email: sheet("Email", (row) => row["email"]),
    "phone, of ten each": sheet("Phone", (row) => row["phone"]),
    home: sheet("Unit", (_, n) => `Long Row, Unit ${n + 1}`),
  };
  console.log("");
  for (const [what, bytes] of Object.entries(files)) {
    const upload = `/api/values?name=rent.csv&fields=amount,due_date`;
    const { id, ready, toFix } = await timed(
      `Values by ${what}`,
      async () => (await call("POST", upload, bytes)) as ValuesOverview,
    );
    console.log(`  ${ready} ready, ${toFix} to fix`);
    const cells = [{ line: 3, column: 1, text: "$5.00" }];
    await timed("  one cell corrected", () => call("POST", `/api/values/${id}/cells`, { cells }));
    await timed("  columns changed", () => call("PATCH", `/api/values/${id}`, { property: "Long Row" }));
    await timed("  a page", () => call("GET", `/api/values/${id}/rows?only=to-fix`));
    await timed("  a search", () => call("GET", `/api/values/${id}/rows?q=1500`));
  }
}

/** A home of their own for everyone. */
async function giveHomes(db: Db): Promise<void> {
  await sql`
    WITH made AS (INSERT INTO properties (name) VALUES ('Long Row') RETURNING id),
      named AS (INSERT INTO property_names (folded, name, property_id) SELECT 'long row', 'Long Row', id FROM made),
      homes AS (
        INSERT INTO units (property_id, key, written) SELECT made.id, n::text, n::text
        FROM made, (SELECT row_number() OVER (ORDER BY id) AS n FROM users) numbered RETURNING id, key
      )
    INSERT INTO residencies (person_id, unit_id)
    SELECT u.id, homes.id FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users) u JOIN homes ON homes.key = u.n::text`.execute(
    db,
  );
  await sql`ANALYZE units, residencies`.execute(db);
}

async function timed<T>(what: string, once: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const answer = await once();
  console.log(`${what.padEnd(28)} ${((performance.now() - started) / 1000).toFixed(2).padStart(6)} s`);
  return answer;
}
