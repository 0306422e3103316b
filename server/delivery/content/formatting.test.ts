import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile } from "./compile.ts";
import { withoutMarks } from "./formatting.ts";
import { renderEmail, renderSms } from "./render.ts";

const links = { unsubscribe: "https://m.example/u", preferences: "https://m.example/p" };

/** The message as the email's HTML holds it, and as a text message. */
function written(content: string, values: Record<string, string> = {}, answers: Record<string, string> = {}) {
  const compiled = compile(
    {
      title: "Hi",
      subject: "",
      content,
      answers,
      channels: ["email", "sms"],
      attachments: [],
      formatted: true,
    },
    { siteName: "Maple", smsPrefix: "", emailSignature: "", emailFooter: "" },
    { key: "k", today: "November 25, 2026" },
  );
  const { html } = renderEmail(compiled, values, links);
  const message = /<div class="message">(.*)<\/div>/s.exec(html)?.[1] ?? "";
  return {
    html: message.replaceAll(/ (?:style|dir)="[^"]*"/g, "").trim(),
    sms: renderSms(compiled, values).text,
  };
}

test("bold, italic, links and lists are written in both ways", () => {
  const { html, sms } = written(
    "Hello {{first_name}},\n\nThis is **due** and *late*. Pay in the [portal](https://pay.example/{{property_unit}}).\n\n- one\n- two\n\n1. first\n2. second\n\nBye,\nThe team",
    { first_name: "Ana <b>", property_unit: "4 B" },
  );
  expect(html).toBe(
    "<p>Hello Ana &lt;b&gt;,</p><p>This is <strong>due</strong> and <em>late</em>. " +
      'Pay in the <a href="https://pay.example/4%20B">portal</a>.</p>' +
      "<ul><li>one</li><li>two</li></ul><ol><li>first</li><li>second</li></ol><p>Bye,<br>\nThe team</p>",
  );
  expect(sms).toBe(
    "Hello Ana <b>,\n\nThis is due and late. Pay in the portal (https://pay.example/4%20B).\n\n- one\n- two\n\n1. first\n2. second\n\nBye,\nThe team",
  );
});

test("an address in the text becomes a link, as in a plain message, and dangerous ones do not", () => {
  expect(written("See https://maple.example/{{first_name}}.", { first_name: "a" }).html).toBe(
    '<p>See <a href="https://maple.example/a">https://maple.example/a</a>.</p>',
  );
  expect(written("[x](javascript:alert%281%29) [y](/here)").html).not.toContain("<a");
});

test("a value inside a link's address is percent-encoded, and one behind the link is left as it is", () => {
  const { html, sms } = written(
    "[Pay](https://pay.example/?unit={{unit}})—{{unit}} [form](https://pay.example/{{property_unit}})—{{property_unit}}",
    { property_unit: "4 B" },
    { unit: "4_B & (C)" },
  );
  const address = "https://pay.example/?unit=4_B%20%26%20%28C%29";
  expect(html).toBe(
    `<p><a href="${address}">Pay</a>—4_B &amp; (C) <a href="https://pay.example/4%20B">form</a>—4 B</p>`,
  );
  expect(sms).toBe(`Pay (${address})—4_B & (C) form (https://pay.example/4%20B)—4 B`);
  expect(written("[Pay]({{link}}), {{link}}", {}, { link: "https://pay.example/a_b?c=(d)&e" }).sms).toBe(
    "Pay (https://pay.example/a_b?c=(d)&e), https://pay.example/a_b?c=(d)&e",
  );
});

test("what someone typed for a field means itself, and neither HTML nor other Markdown is understood", () => {
  const typed = "*5* **x** [a](https://b.example) 1. - _z_ <i> \\ # `";
  const { html, sms } = written("{{amount}} is due", {}, { amount: typed });
  expect(sms).toBe(`${typed} is due`);
  expect(html).not.toMatch(/<(?:em|strong|ul|ol|i)\b/);
  expect(written("# not a heading\n\n    no code\n\n<b>no tag</b>").sms).toBe(
    "# not a heading\n\nno code\n\n<b>no tag</b>",
  );
});

test("any value that someone types arrives unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (value) => {
      const clean = value.trim() === "" ? "x" : value;
      const sms = written("Value: {{amount}}.", {}, { amount: clean }).sms;
      const plain = compile(
        {
          title: "Hi",
          subject: "",
          content: "Value: {{amount}}.",
          answers: { amount: clean },
          channels: ["sms"],
          attachments: [],
        },
        { siteName: "Maple", smsPrefix: "", emailSignature: "", emailFooter: "" },
        { key: "k", today: "" },
      );
      expect(sms).toBe(renderSms(plain, {}).text);
    }),
  );
});

test("without marks it is text with its fields in braces", () => {
  expect(
    withoutMarks(
      "Your lease ends on **{{ lease_end }}**. *Please* [reply](https://m.example/{{property_unit}}).\n\n- 5 \\* 3\n- {{x",
    ),
  ).toBe(
    "Your lease ends on {{ lease_end }}. Please reply (https://m.example/{{property_unit}}).\n\n- 5 * 3\n- {{x",
  );
});

describe("a block of details", () => {
  const text =
    "The elevator stands still.\n\n| When: {{work_date}}\n| Where: {{property_name}}\n| Use the **stairs**\n\nBye";

  test("has its labels beside the values, and is lines in plain text", () => {
    const { html, sms } = written(text, { property_name: "Elm <1>" }, { work_date: "Fri: 9 AM" });
    expect(html).toBe(
      '<p>The elevator stands still.</p><table class="details">' +
        '<tr><th scope="row">When</th><td>Fri: 9 AM</td></tr>' +
        '<tr class="line"><th scope="row">Where</th><td>Elm &lt;1&gt;</td></tr>' +
        '<tr class="line"><td class="wide" colspan="2">Use the <strong>stairs</strong></td></tr></table><p>Bye</p>',
    );
    expect(sms).toBe("The elevator stands still.\n\nWhen: Fri: 9 AM\nWhere: Elm <1>\nUse the stairs\n\nBye");
  });

  test("begins and ends with its lines, and a value of several lines stays in its row", () => {
    const { html, sms } = written(
      "Soon:\n| What to do: {{todo}}\n| When: now",
      {},
      { todo: "a | b\n| c\nd" },
    );
    expect(html).toMatch(/<\/p><table.*<td>a \| b<br>\n\| c<br>\nd<\/td>.*<th scope="row">When/s);
    expect(sms).toBe("Soon:\n\nWhat to do: a | b\n| c\nd\nWhen: now");
  });

  test.each(["- a\n- | b", "\\| a", "a | b"])("is not begun by %j", (other) => {
    expect(written(other).html).not.toContain("<table");
  });
});
