import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { SinkAnswer, SinkQuestion } from "./sink.ts";

export type Sink = {
  port: number;
  /** From now on, answers are late by this much. */
  delay(ms: number): void;
  /**
   * Resolves once this many messages have arrived beyond those expected before, with the time of the last one in
   * milliseconds, as `now()` tells it. `urgent`: only those to addresses that begin with "urgent".
   */
  expect(messages: number, of?: "all" | "urgent"): Promise<number>;
  stop(): void;
};

/** Milliseconds by a clock that all processes of this machine share. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export async function startSink(): Promise<Sink> {
  const child = fork(join(import.meta.dirname, "sink.ts"));
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const asked = new Map<number, (at: number) => void>();
  const expected = { all: 0, urgent: 0 };
  const ask = (question: SinkQuestion) => void child.send(question);
  child.on("message", (answer: SinkAnswer) => {
    if (!("id" in answer)) return;
    asked.get(answer.id)?.(answer.at);
    asked.delete(answer.id);
  });
  let id = 0;
  return {
    port,
    delay: (delayMs) => ask({ delayMs }),
    expect(messages, of = "all") {
      expected[of] += messages;
      id += 1;
      const arrived = Promise.withResolvers<number>();
      asked.set(id, arrived.resolve);
      ask({ id, count: expected[of], urgent: of === "urgent" });
      return arrived.promise;
    },
    stop: () => child.disconnect(),
  };
}
