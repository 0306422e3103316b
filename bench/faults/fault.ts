import type { ProviderKind } from "./accounts.ts";
import type { World } from "./world.ts";

/** One fault and how many people it affects. `run` resolves when everything is decided, with a note for the ledger. */
export type Fault = {
  name: string;
  provider: ProviderKind;
  people: { small: number; large: number };
  /** The disk of the database that it fills: a small one of its own. */
  disk?: "data" | "wal";
  run: (world: World, people: number) => Promise<string>;
};

/** A fault that this machine cannot bring about, and why. */
export class Skipped extends Error {}
