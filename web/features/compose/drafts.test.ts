import { beforeEach, describe, expect, test } from "vitest";
import { createDrafts } from "#web/features/compose/drafts.ts";
import { filledForm } from "#web/domain/message/testing.ts";

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
let minted = 0;
const draftsOf = (userId: number) =>
  createDrafts({ storage, userId, now: () => now, mint: () => String((minted += 1)) });

/** What one opening of a dialog writes; answers where. */
function written(userId: number, name: string, title = "Water shut-off", clientKey = "key-1"): string {
  const drafts = draftsOf(userId);
  const place = drafts.place(name);
  drafts.save(place, filledForm({ title }), clientKey);
  return place;
}

beforeEach(() => {
  storage = new FakeStorage();
  now = start;
});

describe("drafts", () => {
  test("come back as they were, with their key and their time", () => {
    const place = written(7, "new");
    expect(draftsOf(7).read("new")).toEqual({
      place,
      form: filledForm(),
      clientKey: "key-1",
      savedAt: "2026-11-24T14:00:00.000Z",
    });
  });

  test("belong to their author and to their name", () => {
    written(7, "copy of 12");
    expect(draftsOf(8).read("copy of 12")).toBeUndefined();
    expect(draftsOf(7).read("new")).toBeUndefined();
    expect(draftsOf(7).read("copy of 1")).toBeUndefined();
  });

  test("of two tabs do not touch each other: the newest comes back first, and then the other", () => {
    const one = written(7, "new", "One");
    now += 1;
    const other = written(7, "new", "Other", "key-2");
    expect(draftsOf(7).read("new")).toMatchObject({ place: other, clientKey: "key-2" });
    draftsOf(7).discard(other);
    expect(draftsOf(7).read("new")).toMatchObject({ place: one, form: { title: "One" } });
    draftsOf(7).discard(one);
    expect(draftsOf(7).read("new")).toBeUndefined();
  });

  test("that stand elsewhere by now are gone, unless their own tab has written on", () => {
    const place = written(7, "new");
    const found = draftsOf(7).read("new")!;
    now += 1;
    draftsOf(7).save(place, filledForm({ title: "Written on" }), "key-1");
    draftsOf(7).supersede(found);
    const newer = draftsOf(7).read("new")!;
    expect(newer.form.title).toBe("Written on");
    draftsOf(7).supersede(newer);
    expect(draftsOf(7).read("new")).toBeUndefined();
  });

  test("of an earlier version, which kept one for each name, come back", () => {
    const kept = { form: filledForm(), clientKey: "key-1", savedAt: "2026-11-24T13:00:00.000Z" };
    storage.setItem("porchlight-draft-7-new", JSON.stringify(kept));
    expect(draftsOf(7).read("new")).toEqual({ ...kept, place: "porchlight-draft-7-new" });
  });

  test("a damaged one is none", () => {
    storage.setItem("porchlight-draft-7-new:1", "{ half");
    expect(draftsOf(7).read("new")).toBeUndefined();
  });

  test("where storage is forbidden nothing is kept, and that is said", () => {
    const drafts = createDrafts({ storage: null, userId: 7, now: () => now, mint: () => "1" });
    expect(drafts.save(drafts.place("new"), filledForm(), "key-1")).toBe(false);
    expect(drafts.read("new")).toBeUndefined();
    drafts.discard(drafts.place("new"));
  });

  test("a full browser says so instead of pretending", () => {
    storage.full = true;
    const drafts = draftsOf(7);
    expect(drafts.save(drafts.place("new"), filledForm(), "key-1")).toBe(false);
  });
});
