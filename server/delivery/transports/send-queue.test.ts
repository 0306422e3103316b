import { expect, test } from "vitest";
import { SendQueue } from "./send-queue.ts";
import { message } from "./testing/sending.ts";

const open = new AbortController().signal;

const queueOf = (...calls: (readonly ReturnType<typeof message>[])[]) => {
  const queue = new SendQueue();
  for (const messages of calls) void queue.add(messages, { settled: () => undefined }, open);
  return queue;
};

const urgent = { urgent: true };

function takeAll(queue: SendQueue): number[] {
  const order: number[] = [];
  for (let job = queue.take(); job; job = queue.take()) order.push(job.message.deliveryId);
  return order;
}

test("emergencies are taken first, and otherwise everything in its order", () => {
  const queue = queueOf([message(1), message(2), message(3, urgent)], [message(4), message(5, urgent)]);
  expect(takeAll(queue)).toEqual([3, 5, 1, 2, 4]);
});

test("what is given back comes before its like, but not before an emergency", () => {
  const queue = queueOf([message(1), message(2)]);
  const first = queue.take()!;
  void queue.add([message(3, urgent), message(4, urgent)], { settled: () => undefined }, open);
  queue.giveBack(first);
  queue.giveBack(queue.take()!);
  expect(takeAll(queue)).toEqual([3, 4, 1, 2]);
});
