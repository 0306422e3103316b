import { describe, expect, test } from "vitest";
import { waitingOf } from "#web/features/outbox/deliver.ts";
import { LAST_LOCAL_ID, rowOf } from "#web/features/outbox/entry.ts";
import { fakeStorage, pending, tab } from "#web/features/outbox/testing.ts";

describe("keeping", () => {
  test("keeps the whole call and form under a local id", async () => {
    const outbox = tab();
    const given = pending("key-1", { plannedFor: "2026-11-25T14:00:00Z" });
    expect(await outbox.keep(7, given)).toBe("kept");
    expect(outbox.entries()).toEqual([
      {
        ...given,
        localId: 100,
        userId: 7,
        keptAt: "2026-11-24T14:00:00.000Z",
        refusal: null,
        obstacle: null,
        underWay: false,
      },
    ]);
  });

  test("survives a reload", async () => {
    const storage = fakeStorage();
    await tab(storage).keep(7, pending("key-1"));
    expect(tab(storage).entries()).toHaveLength(1);
  });

  test("uses unique local ids from 100 to 10099", async () => {
    const outbox = tab(fakeStorage(), () => 0.999_999);
    await outbox.keep(7, pending("a"));
    await outbox.keep(7, pending("b"));
    await outbox.keep(7, pending("c"));
    expect(outbox.entries().map((one) => one.localId)).toEqual([101, 100, LAST_LOCAL_ID]);
  });

  test("keeps the last entry for a client key, which waits again", async () => {
    const outbox = tab();
    await outbox.keep(7, pending("a"));
    await outbox.refuse("a", "The time is past.");
    await outbox.keep(7, pending("a", { plannedFor: "2026-11-26T14:00:00Z" }));
    expect(outbox.entries()).toMatchObject([
      { localId: 100, refusal: null, plannedFor: "2026-11-26T14:00:00Z" },
    ]);
  });

  test("reports full storage without losing entries", async () => {
    const storage = fakeStorage();
    const outbox = tab(storage);
    await outbox.keep(7, pending("a"));
    storage.limit = 10;
    expect(await outbox.keep(7, pending("b"))).toBe("full");
    expect(outbox.entries().map((one) => one.clientKey)).toEqual(["a"]);
  });
});

test("keeps nothing more on a shared computer", async () => {
  const shared = tab(
    fakeStorage(),
    () => 0,
    () => true,
  );
  expect(await shared.keep(7, pending("a"))).toBe("full");
  expect(shared.entries()).toEqual([]);
});

test("holds waiting entries for their author after someone else has signed in", async () => {
  const storage = fakeStorage();
  const outbox = tab(storage);
  await outbox.keep(7, pending("a"));
  await outbox.keep(7, pending("b"));
  await outbox.refuse("b", "The time is past.");
  await tab(storage).hold();
  outbox.reload();
  expect(waitingOf(outbox, 7)).toEqual([]);
  expect(outbox.entries()).toMatchObject([
    { clientKey: "b", refusal: "The time is past." },
    { clientKey: "a", refusal: expect.stringContaining("Someone else has signed in on this browser") },
  ]);
});

describe("sharing the browser", () => {
  test("sees another tab's entry, and keeps both", async () => {
    const storage = fakeStorage();
    const [one, other] = [tab(storage), tab(storage)];
    await one.keep(7, pending("a"));
    await other.keep(7, pending("b"));
    one.reload();
    expect(one.entries().map((entry) => entry.clientKey)).toEqual(["b", "a"]);
  });

  test("notifies once per change, and returns the same array in between", async () => {
    const storage = fakeStorage();
    const [one, other] = [tab(storage), tab(storage)];
    let heard = 0;
    one.subscribe(() => (heard += 1));
    await other.keep(7, pending("a"));
    one.reload();
    const before = one.entries();
    one.reload();
    expect(heard).toBe(1);
    expect(one.entries()).toBe(before);
  });

  test("leaves foreign data under the key alone", async () => {
    const storage = fakeStorage();
    const foreign = { id: 4711, title: "from another version" };
    // spec 171
    storage.setItem("notifications", JSON.stringify([foreign]));
    const outbox = tab(storage);
    await outbox.keep(7, pending("a"));
    await outbox.remove("a");
    expect(outbox.entries()).toEqual([]);
    expect(JSON.parse(storage.getItem("notifications") ?? "")).toEqual([foreign]);
  });

  test.each(["", "null", "{}", "not json", '[null, 1, "x", []]'])(
    "damaged storage (%s) is an empty outbox",
    (text) => {
      const storage = fakeStorage();
      storage.setItem("notifications", text);
      expect(tab(storage).entries()).toEqual([]);
    },
  );
});

test("reads an entry of a build that stored less", async () => {
  const storage = fakeStorage();
  await tab(storage).keep(7, pending("a"));
  const [{ obstacle: _, underWay: __, ...older }] = JSON.parse(storage.getItem("notifications") ?? "");
  storage.setItem("notifications", JSON.stringify([older]));
  expect(tab(storage).entries()).toEqual([{ ...older, obstacle: null, underWay: false }]);
});

test("removing a missing entry writes nothing", async () => {
  const storage = fakeStorage();
  await tab(storage).remove("sent at once");
  expect(storage.getItem("notifications")).toBeNull();
});

test("a row names all recipients", async () => {
  const outbox = tab();
  const given = pending("a");
  given.form.recipients = [
    { type: "group", id: 1, name: "All Tenants" },
    { type: "user", id: 5, name: "Ana Ortiz" },
  ];
  await outbox.keep(7, given);
  expect(outbox.entries().map((entry) => rowOf(entry))).toMatchObject([
    { localId: 100, title: "Water shut-off", channels: ["email"], recipients: "All Tenants, Ana Ortiz" },
  ]);
});
