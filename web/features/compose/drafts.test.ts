import { beforeEach, describe, expect, test } from "vitest";
import { createDrafts } from "#web/features/compose/drafts.ts";
import { filledForm } from "#web/features/compose/testing.ts";

const DAY = 24 * 60 * 60 * 1000;
const start = Date.parse("2026-11-24T14:00:00Z");

/** The part of a browser's storage that drafts use. */
class FakeStorage implements Storage {
  readonly #values = new Map<string, string>();
  full = false;
  get length() {
    return this.#values.size;
  }
  key = (index: number) => [...this.#values.keys()][index] ?? null;
  getItem = (key: string) => this.#values.get(key) ?? null;
  removeItem = (key: string) => void this.#values.delete(key);
  clear = () => this.#values.clear();
  setItem(key: string, value: string) {
    if (this.full) throw new DOMException("full", "QuotaExceededError");
    this.#values.set(key, value);
  }
}

let storage: FakeStorage;
let now: number;
const draftsOf = (userId: number) => createDrafts({ storage, userId, now: () => now });

beforeEach(() => {
  storage = new FakeStorage();
  now = start;
});

describe("drafts", () => {
  test("come back as they were, with their key and their time", () => {
    draftsOf(7).save("new", filledForm(), "key-1");
    expect(draftsOf(7).read("new")).toEqual({
      form: filledForm(),
      clientKey: "key-1",
      savedAt: "2026-11-24T14:00:00.000Z",
    });
  });

  test("belong to their author and to their name", () => {
    draftsOf(7).save("new", filledForm(), "key-1");
    expect(draftsOf(8).read("new")).toBeUndefined();
    expect(draftsOf(7).read("copy of 12")).toBeUndefined();
  });

  test("are gone when discarded", () => {
    draftsOf(7).save("new", filledForm(), "key-1");
    draftsOf(7).discard("new");
    expect(draftsOf(7).read("new")).toBeUndefined();
  });

  test("that nobody touches for 30 days are dropped, whoever's they are; other things in the browser stay", () => {
    draftsOf(8).save("copy of 12", filledForm(), "key-1");
    storage.setItem("ui-theme", "dark");
    now = start + 30 * DAY - 1;
    draftsOf(7).read("new");
    expect(storage.length).toBe(2);
    now = start + 30 * DAY;
    draftsOf(7).read("new");
    expect(storage.key(0)).toBe("ui-theme");
    expect(storage.length).toBe(1);
  });

  test("a damaged one is none, and is swept away", () => {
    storage.setItem("porchlight-draft-7-new", "{ half");
    expect(draftsOf(7).read("new")).toBeUndefined();
    expect(storage.length).toBe(0);
  });

  test("where storage is forbidden nothing is kept, and that is said", () => {
    const drafts = createDrafts({ storage: null, userId: 7, now: () => now });
    expect(drafts.save("new", filledForm(), "key-1")).toBe(false);
    expect(drafts.read("new")).toBeUndefined();
    drafts.discard("new");
  });

  test("a full browser says so instead of pretending", () => {
    storage.full = true;
    expect(draftsOf(7).save("new", filledForm(), "key-1")).toBe(false);
  });
});
