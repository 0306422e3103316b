import { AsyncLocalStorage } from "node:async_hooks";
import type { Channel } from "#contract/delivery.ts";

/**
 * What the rest of the server tells about itself. Metrics and tracing are loaded only if they are configured; without
 * them all of this does nothing. Signals carry no personal data.
 */

type Signals = {
  request: { method: string; route: string; status: number; seconds: number };
  /** The outcome of one message that was handed to an account, or couldn't be. */
  attempt: { channel: Channel; accountId: number; account: string; outcome: string };
  /** Outcomes that were settled in one statement. */
  settle: { changes: number; seconds: number };
  /** An entry of a worker's journal, which messages wait for. */
  journal: { seconds: number };
  /** A worker outlived its lease, or no longer knows everything it holds. */
  leaseLost: Record<string, never>;
  /** Deliveries of a worker that disappeared. `begun`: they may have been sent. */
  takenOver: { begun: number; notBegun: number };
  fanOut: { people: number; seconds: number };
  /** Deliveries that receipts have changed, and receipts for messages of archived months. */
  receipts: { deliveries: number; late: number };
  logLine: { level: string };
  /** A connection to the database that was open, and that we didn't close. */
  connectionBroken: Record<string, never>;
};

const listeners: { [Name in keyof Signals]?: (signal: Signals[Name]) => void } = {};

export function emit<Name extends keyof Signals>(name: Name, signal: Signals[Name]): void {
  listeners[name]?.(signal);
}

/** One listener per signal. */
export function onSignal<Name extends keyof Signals>(
  name: Name,
  listener: (signal: Signals[Name]) => void,
): void {
  Object.assign(listeners, { [name]: listener });
}

/** What a log line is about. The web server's lines have the request's id from Fastify. */
type LogFields = {
  accountId?: number;
  runId?: number;
  deliveryId?: number | undefined;
};

const fields = new AsyncLocalStorage<LogFields>();

/** Every line logged during `work` has these fields, besides the caller's. */
export function withLogFields<T>(more: LogFields, work: () => T): T {
  return fields.run({ ...fields.getStore(), ...more }, work);
}

export function logFields(): LogFields & { trace_id?: string; span_id?: string } {
  const [, trace_id, span_id] = traceparent()?.split("-") ?? [];
  return { ...fields.getStore(), ...(trace_id && span_id && { trace_id, span_id }) };
}

/** Runs work that serves many callers in the context of none of them: without log fields and span. */
export const detached = AsyncLocalStorage.snapshot();

export type SpanOptions = {
  /** As W3C `traceparent`; without it the current span. */
  parent?: string | null | undefined;
  links?: readonly string[];
  attributes?: Record<string, string | number | undefined>;
  /** In milliseconds since 1970. */
  startedAt?: number;
};

/** The part of tracing that the rest of the server uses. */
type Tracing = {
  span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** The current span as W3C `traceparent`; undefined outside of one, or if it isn't sampled. */
  current(): string | undefined;
};

let tracing: Tracing | undefined;

export function useTracing(given: Tracing | undefined): void {
  tracing = given;
}

export const isTracing = (): boolean => tracing !== undefined;

/** Runs `work` as a span, if tracing is on. */
export function span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  return tracing ? tracing.span(name, options, work) : work();
}

export function traceparent(): string | undefined {
  return tracing?.current();
}
