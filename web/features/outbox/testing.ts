import { filledForm } from "#web/domain/message/testing.ts";
import type { Pending } from "#web/features/outbox/entry.ts";
import { createOutbox } from "#web/features/outbox/outbox.ts";

/** Browser storage that several tabs can share, with a total `limit` in characters. */
export function fakeStorage(limit = Infinity) {
  const values = new Map<string, string>();
  return {
    limit,
    getItem: (key: string) => values.get(key) ?? null,
    setItem(key: string, value: string) {
      if (value.length > this.limit) throw new DOMException("full", "QuotaExceededError");
      values.set(key, value);
    },
  };
}

export function tab(storage = fakeStorage(), random = () => 0, shared = () => false) {
  return createOutbox({
    key: "notifications",
    storage,
    shared,
    exclusively: async (work) => work(),
    random,
    now: () => new Date("2026-11-24T14:00:00Z"),
  });
}

const form = filledForm({
  customMessage: "Hello {{first_name}}",
  recipients: [{ type: "group", id: 1, name: "All Tenants" }],
  channels: ["email"],
});

export function pending(clientKey: string, over: Partial<Pending> = {}): Pending {
  return {
    clientKey,
    call: {
      to: "send",
      body: {
        title: form.title,
        message: form.customMessage,
        recipients: [{ type: "group", id: 1 }],
        channels: ["email"],
        clientKey,
      },
    },
    form,
    plannedFor: null,
    ...over,
  };
}
