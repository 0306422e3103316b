import { describe, expect, it } from "vitest";
import type { NotificationRow } from "#contract/calls/notifications.ts";
import { listFilter } from "#web/features/notifications/list-query.ts";
import type { Unsent } from "#web/domain/unsent/unsent.ts";
import { mergeUnsent } from "#web/features/notifications/unsent.ts";

const row = (id: number, clientKey: string | null = null) => ({ id, clientKey }) as NotificationRow;
const kept = (over: Partial<Unsent> = {}): Unsent => ({
  localId: 100,
  clientKey: "key-1",
  title: "Water shut-off",
  channels: ["email"],
  recipients: "Building C",
  keptAt: "2026-11-20T09:00:00Z",
  plannedFor: null,
  refusal: null,
  obstacle: null,
  underWay: false,
  ...over,
});
const everything = listFilter({});

describe("mergeUnsent", () => {
  it("puts what this browser keeps in front and counts it", () => {
    const merged = mergeUnsent({ rows: [row(1), row(2)], total: 40 }, [kept()], everything);
    expect(merged.unsent.map((one) => one.localId)).toEqual([100]);
    expect(merged.rows.map((one) => one.id)).toEqual([1, 2]);
    expect(merged.total).toBe(41);
  });

  // spec 174
  it("lets the local one win over the server's row with the same client key, and counts it once", () => {
    const merged = mergeUnsent({ rows: [row(1, "key-1"), row(2, "other")], total: 2 }, [kept()], everything);
    expect(merged.rows.map((one) => one.id)).toEqual([2]);
    expect(merged.unsent).toHaveLength(1);
    expect(merged.total).toBe(2);
  });

  it("does not take two rows without a client key for the same", () => {
    const merged = mergeUnsent({ rows: [row(1), row(2)], total: 2 }, [], everything);
    expect(merged.rows).toHaveLength(2);
  });

  it("shows local ones on the first page only, and counts them on every page", () => {
    const merged = mergeUnsent({ rows: [row(1)], total: 26 }, [kept()], listFilter({ page: 2 }));
    expect(merged.unsent).toEqual([]);
    expect(merged.total).toBe(27);
  });

  it.each([
    ["title", "WATER", 1],
    ["recipients", "building c", 1],
    ["the mark itself", "not yet", 1],
    ["nothing of it", "elevator", 0],
  ])("searches as the server does: %s", (_, q, found) => {
    expect(mergeUnsent({ rows: [], total: 0 }, [kept()], listFilter({ q })).unsent).toHaveLength(found);
  });

  it("keeps local ones out of a status and of another channel", () => {
    const shown = (search: Parameters<typeof listFilter>[0]) =>
      mergeUnsent({ rows: [], total: 0 }, [kept()], listFilter(search)).unsent.length;
    expect(shown({ status: "Failed" })).toBe(0);
    expect(shown({ channel: "sms" })).toBe(0);
    expect(shown({ channel: "email" })).toBe(1);
  });
});
