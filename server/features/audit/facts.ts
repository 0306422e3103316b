import type { AuditChange } from "#contract/calls/audit.ts";
import type { Stored } from "#server/features/audit/change-text.ts";

/** What a row says. `{it}` is replaced with the name of its subject. */
export type Report = {
  /** What follows the name, without a period: "deleted {it}". */
  does: string;
  /** Whole sentences. */
  note?: string | undefined;
  refused?: true;
};

export type Facts = {
  detail: Stored;
  /** Who did it is who it is about. */
  own: boolean;
  /** What it is about is known by name. */
  named: boolean;
  changes: readonly AuditChange[];
  /** Names of groups by id. */
  groups: ReadonlyMap<number, string>;
  /** A stored instant in words. */
  time: (at: unknown) => string;
};
