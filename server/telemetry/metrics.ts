import { setTimeout as sleep } from "node:timers/promises";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { connectionsOf, type Db } from "#server/db/database.ts";
import type { Outcome } from "#server/delivery/transports/transport.ts";
import { readState, type State } from "./read-state.ts";
import { onSignal } from "./signals.ts";

/** no-device: refused, because the person has none. */
const outcomes: readonly (Outcome["kind"] | "no-device")[] = [
  "accepted",
  "refused",
  "no-device",
  "throttled",
  "unavailable",
  "misconfigured",
  "uncertain",
];

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Prometheus waits ten seconds. */
const READ_MS = 5000;

type Metrics = {
  contentType: string;
  /** In the text format of Prometheus. */
  read(): Promise<string>;
};

/**
 * The metrics of this process, from the signals of the rest of the server, and those of the whole installation, read
 * from the database each time Prometheus asks. Every process answers the latter, so take their maximum, not their sum.
 * @param db a pool of its own, so that a busy process answers too @param pools this process's others, by role
 */
export function openMetrics(db: Db, pools: Readonly<Record<string, Db>>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const attempts = countSignals(registers);
  const connections = new Gauge({
    name: "porchlight_database_connections",
    help: "Database connections of this process. waiting: queries that wait for one.",
    labelNames: ["pool", "state"],
    registers,
    collect() {
      for (const [pool, of] of Object.entries(pools)) {
        for (const [state, count] of Object.entries(connectionsOf(of)))
          connections.set({ pool, state }, count);
      }
    },
  });
  const gauges = stateGauges(registers);
  return {
    contentType: registry.contentType,
    async read() {
      const late = sleep(READ_MS, null, { ref: false });
      const state = await Promise.race([readState(db).catch(() => null), late]);
      gauges.set(state);
      // Prometheus sees an increase only from a sample that was there before.
      for (const { accepts: _, ...account } of state?.accounts ?? [])
        for (const outcome of outcomes) attempts.inc({ ...account, outcome }, 0);
      return registry.metrics();
    },
  };
}

/** Returns the attempts. */
function countSignals(registers: Registry[]): Counter<"channel" | "account_id" | "account" | "outcome"> {
  const requests = new Histogram({
    name: "porchlight_http_request_duration_seconds",
    help: "Time to answer a request, by route. Event streams are left out.",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers,
  });
  onSignal("request", ({ seconds, ...labels }) => requests.observe(labels, seconds));
  const attempts = new Counter({
    name: "porchlight_attempts_total",
    help: "Attempts to send a message that ended, by account and outcome.",
    labelNames: ["channel", "account_id", "account", "outcome"],
    registers,
  });
  onSignal("attempt", ({ accountId, ...labels }) => attempts.inc({ ...labels, account_id: accountId }));
  const journal = new Histogram({
    name: "porchlight_journal_duration_seconds",
    help: "Time to record that messages are about to be sent. They wait for it; a few share each commit.",
    buckets: SECONDS,
    registers,
  });
  onSignal("journal", ({ seconds }) => journal.observe(seconds));
  const settles = new Histogram({
    name: "porchlight_settle_duration_seconds",
    help: "Time to commit outcomes to the database, many per commit.",
    buckets: SECONDS,
    registers,
  });
  const settled = new Counter({
    name: "porchlight_settled_total",
    help: "Outcomes committed to the database.",
    registers,
  });
  onSignal("settle", ({ changes, seconds }) => {
    settles.observe(seconds);
    settled.inc(changes);
  });
  const leases = new Counter({
    name: "porchlight_leases_lost_total",
    help: "Times this process's worker started over because its lease was no longer safe.",
    registers,
  });
  onSignal("leaseLost", () => leases.inc());
  const takenOver = new Counter({
    name: "porchlight_deliveries_taken_over_total",
    help: "Deliveries taken over from workers that disappeared. begun: they may have been sent.",
    labelNames: ["begun"],
    registers,
  });
  for (const begun of ["true", "false"]) takenOver.inc({ begun }, 0);
  onSignal("takenOver", ({ begun, notBegun }) => {
    takenOver.inc({ begun: "true" }, begun);
    takenOver.inc({ begun: "false" }, notBegun);
  });
  const chunks = new Histogram({
    name: "porchlight_fan_out_duration_seconds",
    help: "Time to create the deliveries of the next people of a run.",
    buckets: SECONDS,
    registers,
  });
  const people = new Counter({
    name: "porchlight_fan_out_people_total",
    help: "People whose deliveries were created.",
    registers,
  });
  onSignal("fanOut", (chunk) => {
    chunks.observe(chunk.seconds);
    people.inc(chunk.people);
  });
  const receipts = new Counter({
    name: "porchlight_receipts_applied_total",
    help: "Deliveries updated by receipts.",
    registers,
  });
  const late = new Counter({
    name: "porchlight_receipts_late_total",
    help: "Receipts for messages of archived months. They change nothing.",
    registers,
  });
  onSignal("receipts", (applied) => {
    receipts.inc(applied.deliveries);
    late.inc(applied.late);
  });
  const lines = new Counter({
    name: "porchlight_log_lines_total",
    help: "Log lines by level.",
    labelNames: ["level"],
    registers,
  });
  for (const level of ["warn", "error", "fatal"]) lines.inc({ level }, 0);
  onSignal("logLine", ({ level }) => lines.inc({ level }));
  const broken = new Counter({
    name: "porchlight_database_connections_broken_total",
    help: "Open database connections that broke, in use or not. A restart of the database breaks all of them.",
    registers,
  });
  onSignal("connectionBroken", () => broken.inc());
  return attempts;
}

function stateGauges(registers: Registry[]) {
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name: `porchlight_${name}`, help, labelNames, registers });
  const queue = gauge("queue_deliveries", "Deliveries of open runs that aren't settled.", [
    "channel",
    "class",
    "status",
  ]);
  const oldest = gauge(
    "queue_oldest_age_seconds",
    "How long the oldest queued delivery has been due, of channels that aren't turned off.",
    ["channel", "class"],
  );
  const accepting = gauge("account_accepting", "1 while an account accepts messages, otherwise 0.", [
    "channel",
    "account_id",
    "account",
  ]);
  const single = {
    fanOutRuns: gauge("fan_out_runs", "Runs whose deliveries are still being created."),
    fanOutAge: gauge("fan_out_oldest_age_seconds", "Age of the oldest run still being fanned out."),
    receipts: gauge("receipts_waiting", "Receipts that are due to be applied, counted up to 10,000."),
    receiptsAge: gauge("receipts_oldest_age_seconds", "How long the oldest receipt has been due."),
    schedulerLag: gauge("scheduler_lag_seconds", "How long the oldest planned start has been due."),
    workers: gauge("workers", "Workers with a valid lease."),
    clockOffset: gauge("clock_offset_seconds", "This machine's clock minus the database's."),
  };
  const up = gauge("database_up", "1 if the database answered, otherwise 0.");
  return {
    /** Null: unknown, which a 0 would hide. */
    set(state: State | null): void {
      up.set(state ? 1 : 0);
      for (const one of [queue, oldest, accepting]) one.reset();
      for (const one of Object.values(single)) one.remove();
      if (!state) return;
      for (const { count, ...labels } of state.queue) queue.set(labels, count);
      for (const { age, ...labels } of state.oldest) oldest.set(labels, age);
      for (const { accepts, ...labels } of state.accounts) accepting.set(labels, accepts);
      for (const name of keys(single)) single[name].set(state.single[name]);
    },
  };
}

const keys = <Key extends string>(of: Record<Key, unknown>) => Object.keys(of) as Key[];
