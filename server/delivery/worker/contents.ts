import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { PREPARED } from "#server/db/prepared.ts";
import type { RunContent } from "#server/delivery/transports/transport.ts";
import { readAttachments } from "../content/attachments.ts";
import type { CompiledContent, FieldValues } from "../content/compiled.ts";
import { attachedBytes, encodedAttachment } from "../content/encoded-attachment.ts";

/** What all messages of a run have in common. One object per run, because channels cache by its identity. */
export type RunMaterial = { content: RunContent; values: FieldValues; traceparent: string | null };

const MOST_RUNS = 20;
const MOST_BYTES = 64 * 2 ** 20;
const LONGEST_UNUSED_MS = 10 * 60_000;

type Kept = { material: Promise<RunMaterial>; bytes: number; usedAt: number };

/** The frozen contents of runs, read once and kept while they are being sent. */
export class Contents {
  readonly #db: Db;
  readonly #now: () => number;
  readonly #mostBytes: number;
  /** Most recently used last. */
  readonly #kept = new Map<number, Kept>();

  constructor(db: Db, { now = () => performance.now(), mostBytes = MOST_BYTES } = {}) {
    this.#db = db;
    this.#now = now;
    this.#mostBytes = mostBytes;
  }

  of(runId: number): Promise<RunMaterial> {
    const kept = this.#kept.get(runId) ?? this.#read(runId);
    kept.usedAt = this.#now();
    this.#kept.delete(runId);
    this.#kept.set(runId, kept);
    this.forget();
    return kept.material;
  }

  /** Removes entries that were not used for a while, and those beyond the limit, least recently used first. */
  forget(): void {
    let runs = this.#kept.size;
    let bytes = this.#kept.values().reduce((sum, kept) => sum + kept.bytes, 0);
    const long = this.#now() - LONGEST_UNUSED_MS;
    for (const [runId, kept] of this.#kept) {
      const tooMuch = runs > 1 && (runs > MOST_RUNS || bytes > this.#mostBytes);
      if (!tooMuch && kept.usedAt >= long) return;
      this.#kept.delete(runId);
      runs -= 1;
      bytes -= kept.bytes;
    }
  }

  #read(runId: number): Kept {
    const kept = { material: readMaterial(this.#db, runId), bytes: 0, usedAt: 0 };
    kept.material.then(
      ({ content }) => {
        kept.bytes = attachedBytes(content);
        this.forget();
      },
      () => this.#kept.delete(runId),
    );
    return kept;
  }
}

async function readMaterial(db: Db, runId: number): Promise<RunMaterial> {
  const { rows } = await sql<{
    compiled: CompiledContent;
    values: FieldValues;
    attachmentIds: number[];
    traceparent: string | null;
  }>`${PREPARED}
    SELECT r.traceparent, v.compiled, v.field_values AS values, v.attachment_ids AS "attachmentIds"
    FROM runs r JOIN content_versions v ON v.id = r.content_version_id WHERE r.id = ${runId}`.execute(db);
  const { compiled, values, attachmentIds, traceparent } = rows[0]!;
  const attachments = await readAttachments(db, attachmentIds);
  if (attachments.length < attachmentIds.length) throw new MissingAttachmentError(runId);
  return { content: { compiled, attachments: attachments.map(encodedAttachment) }, values, traceparent };
}

/** A file of the run is gone. Its messages fail: without it they would differ from those already sent. */
export class MissingAttachmentError extends Error {
  constructor(runId: number) {
    super(`An attachment of run ${runId} is no longer in the database.`);
    this.name = "MissingAttachmentError";
  }
}
