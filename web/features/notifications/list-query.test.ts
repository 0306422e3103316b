import { describe, expect, it } from "vitest";
import { addressIn, isFiltered, listFilter, listSearch } from "#web/features/notifications/list-query.ts";

describe("the list's address", () => {
  it("comes back as it was written", () => {
    const address = { q: "rent", status: "Partially Delivered", channel: "sms", time: "7-days", page: 3 };
    const filter = listFilter(address);
    expect(listSearch(filter, { page: filter.page })).toEqual(address);
    expect(listSearch(listFilter({ day: "2026-11-25" }), {})).toEqual({ day: "2026-11-25" });
  });

  it("ignores a status, a channel and a time that do not exist", () => {
    const filter = listFilter({ status: "Lost", channel: "pigeon", time: "yore", day: "2026-13-25" });
    expect(filter).toMatchObject({ status: undefined, channel: undefined, time: undefined, day: undefined });
    expect(isFiltered(filter)).toBe(false);
  });

  it("starts another question at its first page", () => {
    expect(listSearch(listFilter({ q: "rent", page: 4 }), { q: "water" })).toEqual({ q: "water" });
    expect(listSearch(listFilter({ q: "rent", page: 4 }), { status: "Failed" })).toEqual({
      q: "rent",
      status: "Failed",
    });
  });

  it("leaves out what filters nothing", () => {
    expect(listSearch(listFilter({ q: "rent", channel: "sms" }), { q: "", channel: undefined })).toEqual({});
    expect(isFiltered(listFilter({ q: "  " }))).toBe(false);
    expect(isFiltered(listFilter({ time: "today" }))).toBe(true);
  });
});

it.each([
  ["(415) 555-0123", "number"],
  ["tel:+1-415-555-0123", "number"],
  ["415\u2011555\u20110123", "number"],
  ["+44 20 7946 0018", "number"],
  ["Ann@Example.com ", "email address"],
  ["mailto:ann@example.com", "email address"],
  ["2026 11 27 notice", null],
  ["555-01", null],
  ["water @ 5", null],
])("%j is the kind of address that someone may have: %s", (q, kind) => expect(addressIn(q).kind).toBe(kind));
