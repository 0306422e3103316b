import { HtmlValidate } from "html-validate";
import { expect, test } from "vitest";
import { compile, type Content } from "./compile.ts";
import { ownReason, type MessageKind } from "./reason.ts";
import { renderEmail } from "./render.ts";

/** Each kind of email as strict HTML. Mail readers lay out with tables, and some know only old attributes. */
const validator = new HtmlValidate({
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: {
    "no-inline-style": "off",
    "no-deprecated-attr": "off",
    "long-title": "off",
    "no-trailing-whitespace": "off",
  },
});

const text = `Hello {{first_name}},

One <b> & two: https://pay.example/?unit={{property_unit}}&x=1

| When: {{work_date}}
| Where: **Elm**, [map](https://maps.example/)
| Take the stairs

- one
- two

2. three

שלום {{first_name}}`;
const oneTime = "Hello,\n\nConfirm.\n\n{{one_time_link}}\n\nUntil {{link_expires}}.";
const link = "https://maple.example/u/T1";
const links = {
  unsubscribe: link,
  preferences: link,
  password: "https://maple.example/set-password/a",
  site: "https://maple.example",
};

test.each<[MessageKind, Partial<Content>]>([
  ["message", { formatted: true }],
  ["message", {}],
  ["test", { formatted: true }],
  ["credentials", { content: oneTime }],
  ["confirmation", { content: oneTime }],
  ["notice", {}],
])("an email of the kind %s is valid HTML, with %j", async (kind, more) => {
  const compiled = compile(
    {
      title: 'Water <off> & "on" for {{first_name}}',
      subject: "",
      content: text,
      answers: { work_date: "Friday\n9 AM" },
      channels: ["email"],
      attachments: [{ name: "plan <1>.pdf", size: 10 }],
      kind,
      ...more,
    },
    {
      siteName: "Elm & <Oak> בית",
      logo: "abc",
      smsPrefix: "",
      emailSignature: "Your team\nhttps://elm.example",
      emailFooter: "Sent & <read>",
      postalAddress: "1 Elm St\nEastmere, NY",
    },
    { key: "run-1", today: "November 25, 2026" },
  );
  const values = { first_name: "שרה <b>", property_unit: "Elm & Co 4B" };
  const own = ownReason({ name: "Ann", home: "Elm & Co 4B" });
  const { html } = renderEmail(compiled, { ...values, ...own }, links);
  const { results } = await validator.validateString(html);
  const found = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${line}:${column} ${ruleId}: ${message}`),
  );
  expect(found).toEqual([]);
  expect((await validator.validateString(html.replace("</h1>", ""))).valid).toBe(false);
});
