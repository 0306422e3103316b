import { describe, expect, it } from "vitest";
import { changed, deliveryFilter, detailSearch } from "#web/features/notifications/detail/delivery-query.ts";

describe("the page's address", () => {
  it("is read as it is written", () => {
    const address = { show: "unreached", q: "ortega", page: 2, delivery: 345 } as const;
    expect(detailSearch({ ...address })).toEqual(address);
    expect(detailSearch({ ...address, page: "2", delivery: "345" })).toEqual(address);
  });

  it("leaves out what makes no sense and what says nothing", () => {
    expect(detailSearch({ show: "lost", q: " ", page: "-3", delivery: "x" })).toEqual({});
    expect(detailSearch({ show: "all", page: 1, delivery: 0 })).toEqual({});
    expect(deliveryFilter({})).toEqual({ show: "all", q: "", page: 1 });
  });

  it("takes a number that was typed as a search for text", () => {
    expect(detailSearch({ q: 12 })).toEqual({ q: "12" });
  });

  it("starts another question at its first page and keeps the chosen person", () => {
    const before = { show: "unreached", page: 3, delivery: 9 } as const;
    expect(changed(before, { q: "ortega" })).toEqual({ show: "unreached", q: "ortega", delivery: 9 });
    expect(changed(before, { show: "all" })).toEqual({ delivery: 9 });
    expect(changed(before, { page: 4 })).toEqual({ show: "unreached", page: 4, delivery: 9 });
  });

  it("forgets the person when the panel closes, and stays on the page", () => {
    expect(changed({ q: "a", page: 2, delivery: 9 }, { page: 2, delivery: undefined })).toEqual({
      q: "a",
      page: 2,
    });
  });
});
