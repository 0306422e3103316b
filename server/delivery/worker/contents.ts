import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import type { RunContent } from "../channels/channel.ts";
import type { Attachment, CompiledContent, FieldValues } from "../content/compiled.ts";

/** What all messages of a run have in common: one object a run, because channels build upon its identity. */
export type RunMaterial = { content: RunContent; values: FieldValues };

const KEPT = 20;

/** The runs' frozen contents, read once and kept while they are sent. */
export class Contents {
  readonly #db: Db;
  readonly #kept = new Map<number, Promise<RunMaterial>>();

  constructor(db: Db) {
    this.#db = db;
  }

  of(runId: number): Promise<RunMaterial> {
    const kept = this.#kept.get(runId) ?? this.#read(runId);
    // The last used is the last in the map; the first is forgotten first.
    this.#kept.delete(runId);
    this.#kept.set(runId, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) break;
      this.#kept.delete(oldest);
    }
    return kept;
  }

  #read(runId: number): Promise<RunMaterial> {
    const reading = readMaterial(this.#db, runId);
    reading.catch(() => this.#kept.delete(runId));
    return reading;
  }
}

async function readMaterial(db: Db, runId: number): Promise<RunMaterial> {
  const { rows } = await sql<{ compiled: CompiledContent; values: FieldValues; attachmentIds: number[] }>`
    SELECT v.compiled, v.field_values AS values, v.attachment_ids AS "attachmentIds"
    FROM runs r JOIN content_versions v ON v.id = r.content_version_id WHERE r.id = ${runId}`.execute(db);
  const { compiled, values, attachmentIds } = rows[0]!;
  const attachments = await sql<Attachment>`
    SELECT a.name, a.type, b.bytes FROM unnest(${attachmentIds}::bigint[]) WITH ORDINALITY w (id, place)
    JOIN attachments a ON a.id = w.id JOIN attachment_bytes b ON b.sha256 = a.sha256 ORDER BY w.place`.execute(
    db,
  );
  if (attachments.rows.length < attachmentIds.length) throw new MissingAttachmentError(runId);
  return { content: { compiled, attachments: attachments.rows }, values };
}

/** A file of the run is gone. Its messages fail: without it they would not be what was sent to the others. */
export class MissingAttachmentError extends Error {
  constructor(runId: number) {
    super(`An attachment of run ${runId} is not in the database any more.`);
    this.name = "MissingAttachmentError";
  }
}
