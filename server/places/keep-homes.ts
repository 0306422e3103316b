import { sql } from "kysely";
import { livingRoles } from "#contract/homes.ts";
import { tryUntilCommit } from "#server/db/advisory-locks.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { showing } from "./residencies.ts";
import { readToday, settleNext } from "./settle.ts";
import { instantsOf } from "./today.ts";
import { nameShown, readHomes, setInstants, writeHomes } from "./store.ts";

/**
 * Every minute: homes that a process of the build before has written, or that are older than the tables, get their
 * residencies, a changed time zone moves the beginnings of days, and details follow to the home someone lives in by now.
 * Safe twice at once.
 */
export async function keepHomes(db: Db): Promise<void> {
  for (let last: number | null = 0; last !== null;) last = await inTurn(db, (tx) => settleNext(tx, last!));
  if (await hasZoneChanged(db)) await setInstants(db, null);
  await inTurn(db, followHomes);
}

/** Whether days begin at other instants now where the organization's time zone counts. All of them change together. */
async function hasZoneChanged(db: Db): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM (
      SELECT r.first_day, r.last_day, r.during, p.time_zone
      FROM residencies r JOIN units h ON h.id = r.unit_id JOIN properties p ON p.id = h.property_id
      WHERE r.during IS NOT NULL AND p.time_zone IS NULL ORDER BY r.person_id LIMIT ${FEW}
    ) p WHERE p.during IS DISTINCT FROM ${instantsOf("p")} LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Nothing if another process is at it. */
async function inTurn(db: Db, work: (tx: Db) => Promise<number | null>): Promise<number | null> {
  return transaction(db, async (tx) => ((await tryUntilCommit(tx, "places")) ? work(tx) : null));
}

const MANY = 500;
const FEW = 50;

/** Whose details name a home they don't live in, while they live in another one. */
async function followHomes(tx: Db): Promise<null> {
  const { rows } = await sql<{ id: number }>`
    SELECT u.id FROM users u WHERE u.home_during IS NOT NULL AND NOT u.home_during @> now() AND u.deleted_at IS NULL
      -- An array, so that an index finds the few people.
      AND u.id = ANY(ARRAY(SELECT r.person_id FROM residencies r WHERE NOT r.shown
        AND r.role IN (${sql.join(livingRoles.map((role) => sql.lit(role)))})
        AND coalesce(r.last_day, 'infinity') >= current_date - 2 AND (r.during IS NULL OR r.during @> now())))
    ORDER BY u.id LIMIT ${MANY} FOR NO KEY UPDATE OF u SKIP LOCKED`.execute(tx);
  await showRight(
    tx,
    rows.map(({ id }) => id),
  );
  return null;
}

/** Makes the details of these people name the home they live in. */
async function showRight(tx: Db, personIds: readonly number[]): Promise<void> {
  if (personIds.length === 0) return;
  const [homes, today] = [await readHomes(tx, personIds), await readToday(tx)];
  const changes = [...homes].flatMap(([personId, before]) => {
    const after = showing(before, today(before[0]?.propertyId));
    const was = before.find(({ shown }) => shown)?.id;
    return was === after.find(({ shown }) => shown)?.id ? [] : [{ personId, before, after }];
  });
  await writeHomes(tx, changes);
  await nameShown(
    tx,
    changes.map(({ personId }) => personId),
  );
}
