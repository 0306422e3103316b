import type { ValuesOverview } from "#contract/calls/values.ts";
import { peopleRows } from "./rows.ts";
import type { CallApi } from "./web-role.ts";

/** How long it takes to read a file with a value for each person, to find whom its rows are for, and to correct a cell. */
export async function timeValues(call: CallApi, people: number): Promise<void> {
  // One line has the names.
  const all = peopleRows(0, people - 1);
  const sheet = (header: string, finds: (row: Record<string, string>) => string | undefined) =>
    Buffer.from(
      [
        `${header},Amount,Due date`,
        ...all.map((row, n) => `"${finds(row) ?? ""}","$${(1000 + n / 100).toFixed(2)}",12/1/2026`),
      ].join("\n"),
    );
  const files = {
    username: sheet("Username", (row) => row["username"]),
    email: sheet("Email", (row) => row["email"]),
    phone: sheet("Phone", (row) => row["phone"]),
    home: sheet("Unit", (row) => row["propertyUnit"]),
  };
  for (const [what, bytes] of Object.entries(files)) {
    let id = 0;
    await timed(`Values by ${what}`, async () => {
      const read = (await call(
        "POST",
        `/api/values?name=rent.csv&fields=amount,due_date`,
        bytes,
      )) as ValuesOverview;
      id = read.id;
      console.log(`  ${read.ready} ready, ${read.toFix} to fix`);
    });
    const cells = [{ line: 3, column: 1, text: "$5.00" }];
    await timed("  one cell corrected", () => call("POST", `/api/values/${id}/cells`, { cells }));
    await timed("  read", () => call("GET", `/api/values/${id}`));
    await timed("  columns changed", () => call("PATCH", `/api/values/${id}`, { fields: ["amount"] }));
    await timed("  a page", () => call("GET", `/api/values/${id}/rows?only=to-fix`));
    await timed("  a search", () => call("GET", `/api/values/${id}/rows?q=1500`));
  }
}

async function timed(what: string, once: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await once();
  console.log(`${what.padEnd(28)} ${((performance.now() - started) / 1000).toFixed(2).padStart(6)} s`);
}
