import { createHash } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { withEngines } from "../testing/engine.ts";
import { addPerson, send } from "../testing/scene.ts";
import { Contents } from "./contents.ts";

const engine = withEngines();
const KB = 2 ** 10;

async function runWith(kilobytes: number): Promise<number> {
  const bytes = Buffer.alloc(kilobytes * KB, kilobytes);
  const sha256 = createHash("sha256").update(bytes).digest();
  const { rows } = await sql<{ id: number }>`
    WITH stored AS (INSERT INTO attachment_bytes VALUES (${sha256}, ${bytes}) ON CONFLICT DO NOTHING)
    INSERT INTO attachments (sha256, name, type, size) VALUES (${sha256}, 'a.pdf', 'application/pdf', 1)
    RETURNING id`.execute(engine.db);
  const { runId } = await send(engine.db, { attachmentIds: rows.map(({ id }) => id) });
  return runId;
}

test("a run's content is read once; beyond so many bytes of attachments the longest unused goes, never the last used", async () => {
  await addPerson(engine.db);
  const [small, large, huge] = [await runWith(1), await runWith(30), await runWith(50)];
  const contents = new Contents(engine.db, { mostBytes: 64 * KB });
  const first = await contents.of(small);
  await contents.of(large);
  expect(await contents.of(small)).toBe(first);
  const last = await contents.of(huge);
  expect(await contents.of(huge)).toBe(last);
  expect(await contents.of(small)).not.toBe(first);
});

test("what was not used for ten minutes is let go", async () => {
  await addPerson(engine.db);
  const run = await runWith(1);
  let now = 0;
  const contents = new Contents(engine.db, { now: () => now });
  const first = await contents.of(run);
  now += 9 * 60_000;
  contents.forget();
  expect(await contents.of(run)).toBe(first);
  now += 11 * 60_000;
  contents.forget();
  expect(await contents.of(run)).not.toBe(first);
});
