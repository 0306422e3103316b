import * as fc from "fast-check";
import { sql } from "kysely";
import Papa from "papaparse";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ValuesOverview } from "#contract/calls/values.ts";
import { cellOf } from "#contract/text/sheet-columns.ts";
import { visibleLine } from "#contract/text/visible-text.ts";
import type { CompiledContent } from "#server/delivery/content/compiled.ts";
import { renderSms } from "#server/delivery/content/render.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;
const people = ["ana", "ben", "cy"] as const;

beforeAll(async () => {
  porchlight = await testApp({ mostWrites: 10_000 });
  staff = await porchlight.signedIn("staff");
  for (const [n, username] of people.entries())
    await insertPerson(porchlight.db, { username, phone: `+1415555013${n}` });
});
afterAll(() => porchlight.close());

const fields = ["amount_due", "slot", "storage"] as const;
type Field = (typeof fields)[number];

const cell = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
  fc.constantFrom(
    "00123",
    "$1,685.00",
    "=1+1",
    "{{slot}}",
    "<b>&amp;",
    "לילה טוב",
    'O\'Neil, "Bo"',
    "$&",
    "12\n13",
  ),
);
const piece = fc.oneof(
  fc.stringMatching(/^[a-z ,]{0,12}$/),
  fc.constantFrom(...fields).map((field) => ({ field })),
);
const row = fc.record({ amount_due: cell, slot: cell, storage: cell });

const written = (text: string) => visibleLine(cellOf(text));
// Nothing but marks that turn a line around may differ.
const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, "");

test(
  "whatever a file holds, the texts that arrive are a plain substitution of its cells",
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 8 }),
        fc.tuple(row, row, row),
        async (pieces, rows) => {
          const usable = rows.every((one) => fields.every((field) => written(one[field]).trim() !== ""));
          fc.pre(usable && pieces.some((one) => typeof one !== "string"));
          const text = `A${pieces.map((one) => (typeof one === "string" ? one : `{{${one.field}}}`)).join(" ")}Z`;
          const lines = rows.map((one, n) => [people[n]!, ...fields.map((field) => one[field])]);
          const file = Papa.unparse([["Username", "Amount due", "Slot", "Storage"], ...lines]);
          const values = await upload(file);
          expect(values).toMatchObject({ ready: 3, toFix: 0 });
          const got = await send(text, values.id);
          const expected = rows.map((one) =>
            text.replaceAll(/\{\{(\w+)\}\}/g, (_, field: Field) => written(one[field])),
          );
          expect(got.map(plain)).toEqual(expected.map(plain));
        },
      ),
      { numRuns: 20 },
    );
  },
);

async function upload(file: string): Promise<ValuesOverview> {
  const reply = await porchlight.app.inject({
    method: "POST",
    url: `/api/values?name=rent.csv&fields=${fields.join(",")}`,
    headers: { cookie: staff.cookie, "content-type": "application/octet-stream" },
    payload: file,
  });
  const { id, columns } = reply.json<ValuesOverview>();
  // As they stand in the file, even if all of them happen to be amounts.
  const asText = columns.map((one) => one && ("field" in one ? { ...one, as: "text" } : one));
  const changed = await porchlight.call(
    { method: "PATCH", url: `/api/values/${id}`, body: { columns: asText } },
    staff,
  );
  return changed.json<ValuesOverview>();
}

async function send(message: string, valuesId: number): Promise<string[]> {
  const recipients = [{ type: "file", id: valuesId }];
  const body = { title: "Rent", message, channels: ["sms"], recipients, valuesId, again: true };
  const reply = await porchlight.call({ method: "POST", url: "/api/send-notification", body }, staff);
  expect(reply.statusCode).toBe(200);
  const { rows } = await sql<{ compiled: CompiledContent; values: Record<string, string> }>`
    SELECT v.compiled, d.field_values AS values FROM deliveries d JOIN runs r ON r.id = d.run_id
    JOIN content_versions v ON v.id = r.content_version_id
    WHERE r.notification_id = ${reply.json<{ id: number }>().id} ORDER BY d.user_id`.execute(porchlight.db);
  return rows.map(({ compiled, values }) => renderSms(compiled, values).text);
}
