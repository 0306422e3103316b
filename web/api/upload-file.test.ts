import { attachments } from "#contract/calls/attachments.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { whenInDoubt } from "#web/api/client.ts";
import { reachability } from "#web/api/reachability.ts";
import { ApiError, OfflineError, SignInInFrontError } from "#web/api/call-errors.ts";
import { uploadFile } from "#web/api/upload-file.ts";

type Answer = { status: number; responseText: string; type?: string } | "no answer";

/** Of the browser's own only what an upload uses; `answer` is what comes of it. */
function browserWith(answer: Answer) {
  return class extends EventTarget {
    upload = new EventTarget();
    status = 0;
    statusText = "";
    responseText = "";
    open() {}
    type = "application/json";
    setRequestHeader() {}
    getResponseHeader() {
      return this.type;
    }
    abort() {
      this.dispatchEvent(new Event("abort"));
    }
    send() {
      if (answer !== "no answer") Object.assign(this, answer);
      this.dispatchEvent(new Event(answer === "no answer" ? "error" : "load"));
      this.dispatchEvent(new Event("loadend"));
    }
  };
}

function upload(answer: Answer, signal = new AbortController().signal) {
  vi.stubGlobal("XMLHttpRequest", browserWith(answer));
  return uploadFile(attachments.upload, new File(["x"], "hall.png"), { signal, onProgress() {} });
}

const ended = vi.fn<() => void>();
beforeEach(() => {
  ended.mockReset();
  whenInDoubt(ended);
  reachability.set(true);
});
afterEach(() => {
  vi.unstubAllGlobals();
  whenInDoubt(() => {});
});

test("answers what was stored", async () => {
  const stored = { id: 7, name: "hall.png" };
  await expect(upload({ status: 201, responseText: JSON.stringify(stored) })).resolves.toEqual(stored);
});

test("a refusal carries the server's sentence", async () => {
  const responseText = JSON.stringify({ code: "unsupported-file", message: "No." });
  const error = await upload({ status: 422, responseText }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 422, reason: "No." });
  expect([ended.mock.calls.length, reachability.get()]).toEqual([0, true]);
});

test("an ended session is noticed by an upload, too", async () => {
  const responseText = JSON.stringify({ code: "signed-out", message: "Please sign in" });
  await expect(upload({ status: 401, responseText })).rejects.toMatchObject({ status: 401 });
  expect(ended).toHaveBeenCalledOnce();
});

test.each([
  [200, SignInInFrontError, "wants you to sign in again"],
  [413, ApiError, "413: A proxy in front of Porchlight doesn't accept this much at once."],
])("a proxy's page with %d is no stored file, and told in a sentence", async (status, kind, sentence) => {
  const page = { status, responseText: "<html>No</html>", type: "text/html" };
  const error = await upload(page).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(kind);
  expect(error).toMatchObject({ message: expect.stringContaining(sentence) });
});

test("an unreachable server is noticed by an upload, too", async () => {
  await expect(upload("no answer")).rejects.toBeInstanceOf(OfflineError);
  expect(reachability.get()).toBe(false);
  await upload({ status: 201, responseText: "{}" });
  expect(reachability.get()).toBe(true);
});
