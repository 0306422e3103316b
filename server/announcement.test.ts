import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { announcement } from "#server/announcement.ts";

const ready = { url: "http://127.0.0.1:3000", roles: ["web"], setupCode: "ABCDE-FGHJK" };

test("on a terminal, the address stands apart from the log", () => {
  const text = announcement(ready, { onTerminal: true });
  expect(stripVTControlCharacters(text)).toBe(
    `
  Porchlight is ready at http://127.0.0.1:3000
  The first account becomes the administrator.
  From another computer, you need the setup code ABCDE-FGHJK

`,
  );
  expect(text).toContain("\u001b[1mhttp://127.0.0.1:3000\u001b[");
});

test("elsewhere, it is a line that programs read", () => {
  const text = (part: object) => announcement({ ...ready, ...part }, { onTerminal: false });
  expect(text({ setupCode: null })).toBe("Porchlight is ready at http://127.0.0.1:3000\n");
  expect(text({ url: undefined, roles: ["worker", "scheduler"], setupCode: null })).toBe(
    "Porchlight is ready (worker, scheduler)\n",
  );
});
