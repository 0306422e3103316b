import { getSchema } from "@tiptap/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseLetter, parsePlain, plainOf, serializeLetter } from "#web/domain/message/letter-markdown.ts";
import { letterExtensions } from "#web/domain/message/letter-schema.ts";

const schema = getSchema(letterExtensions);
const roundTrip = (text: string) => serializeLetter(parseLetter(schema, text));

test("what an email template may hold comes out of the editor as it went in", () => {
  const letter = [
    "Hello {{first_name}},",
    "Your **rent of {{amount}}** is *due*.\nPay in the [portal](https://pay.example/{{property_unit}}).",
    "- one **{{x}}**\n- two",
    "2. second\n3. third",
    "| When: **{{work_date}}**\n| Where: [map](https://e.x)\n| Take the stairs\nor wait",
    "Kind regards,\n{{property_name}}",
  ].join("\n\n");
  expect(roundTrip(letter)).toBe(letter);
});

test("plain text becomes formatted text that reads the same, and back", () => {
  const plain = "Hello {{first_name}},\n\n2 * 3 is **6**,\n- not a list\n\n1. nor this";
  const formatted = serializeLetter(parsePlain(schema, plain));
  expect(formatted).toContain("\\*\\*6\\*\\*");
  expect(plainOf(parseLetter(schema, formatted))).toBe(plain);
  expect(serializeLetter(parsePlain(schema, ""))).toBe("");
});

test("without formatting, lists keep their signs and links their address", () => {
  const letter = "Pay **{{amount}}** in the [portal](https://e.x):\n\n- one\n- *two*\n\n3. three";
  expect(plainOf(parseLetter(schema, letter))).toBe(
    "Pay {{amount}} in the portal (https://e.x):\n\n- one\n- two\n\n3. three",
  );
});

test("fields are nodes of their own, whatever stands beside them", () => {
  const names: string[] = [];
  parseLetter(schema, "a**{{ First_Name }}**b{{x}}{{y}}").descendants((node) => {
    if (node.type.name === "field") names.push(String(node.attrs["name"]));
  });
  expect(names).toEqual(["first_name", "x", "y"]);
  expect(roundTrip("{{ First_Name }}")).toBe("{{first_name}}");
});

test("text that looks like formatting stays text, also after a line break", () => {
  for (const typed of [
    "2 * 3 * 4",
    "1. not a list",
    "- no list",
    "a\n- b\n1. c",
    "# heading",
    "[x](y)",
    "_a_",
    "| a",
    "a\n| b: c",
  ]) {
    const paragraph = schema.node(
      "paragraph",
      null,
      typed
        .split("\n")
        .flatMap((line, index) => [...(index > 0 ? [schema.node("hardBreak")] : []), schema.text(line)]),
    );
    const doc = schema.node("doc", null, [paragraph]);
    expect(parseLetter(schema, serializeLetter(doc)).toJSON()).toEqual(doc.toJSON());
  }
});

test("text settles: once it was read and written twice, nothing changes anymore", () => {
  const piece = fc.constantFrom(
    "a",
    " ",
    "\n",
    "\n\n",
    "**",
    "- ",
    "1. ",
    "{{x}}",
    "[l](https://e.x)",
    "\\",
    "| ",
    ": ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const settled = roundTrip(roundTrip(pieces.join("")));
      expect(roundTrip(settled)).toBe(settled);
    }),
  );
});
