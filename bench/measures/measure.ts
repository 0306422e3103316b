import type { Worlds } from "../product.ts";
import type { Sink } from "../sink-process.ts";
import type { Row } from "../table.ts";

/** What a measure works with. */
export type Bench = {
  worlds: Worlds;
  /** The PostgreSQL server, for what needs no product. */
  serverUrl: string;
  sink: Sink;
  /** Messages of a run that is compared with a peer. */
  messages: number;
  /** People of a large run. */
  people: number;
};

export type Measure = (bench: Bench) => Promise<Row[]>;
