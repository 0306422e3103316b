import { expect } from "vitest";
import type { ImportOverview, ImportProgress } from "#contract/calls/imports.ts";
import type { Caller, TestApp } from "./app.ts";
import { type TestCell, xlsxOf } from "./workbooks.ts";

/** Imports of spreadsheets through the front door. */
export function sheetsOf(porchlight: TestApp, caller: Caller) {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what the caller knows of the reply
  async function ask<T>(
    method: "GET" | "POST" | "PATCH" | "PUT",
    path: string,
    body?: unknown,
    as: Caller = caller,
  ) {
    const url = `/api/imports/${path}`;
    const reply = await porchlight.call({ method, url, ...(body !== undefined && { body }) }, as);
    return { status: reply.statusCode, body: reply.json<T & { message: string; code: string }>() };
  }
  /** Returns the file's id. */
  async function upload(
    rows: readonly (readonly TestCell[])[],
    name = "Roll.xlsx",
    as: Caller = caller,
  ): Promise<number> {
    const reply = await porchlight.app.inject({
      method: "POST",
      url: `/api/imports?name=${encodeURIComponent(name)}`,
      headers: { cookie: as.cookie, "content-type": "application/octet-stream" },
      payload: xlsxOf({ Roll: { rows: rows.map((row) => [...row]) } }),
    });
    expect(reply.statusCode).toBe(201);
    return reply.json<ImportOverview>().id;
  }
  async function finish<T extends { done: boolean }>(path: string): Promise<T> {
    for (;;) {
      const { status, body } = await ask<T>("POST", path);
      expect([status, body.message]).toEqual([200, undefined]);
      if (body.done) return body;
    }
  }
  return {
    ask,
    upload,
    finish,
    run: (id: number) => finish<ImportProgress>(`${id}/run`),
    async imported(rows: readonly (readonly TestCell[])[], name?: string): Promise<number> {
      const id = await upload(rows, name);
      await finish(`${id}/run`);
      return id;
    },
  };
}
