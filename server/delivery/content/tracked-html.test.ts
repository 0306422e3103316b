import { describe, expect, test } from "vitest";
import { compile, type Content } from "./compile.ts";
import { renderEmail, renderTemplate } from "./render.ts";
import { linkAt, trackedHtml, type Tracked } from "./tracked-html.ts";

const SITE = "https://maple.example";
const values = { first_name: "Ann", property_unit: "Maple & Co 4B" };
const links = {
  unsubscribe: `${SITE}/u/T1`,
  preferences: `${SITE}/u/T1`,
  password: `${SITE}/set-password/P1`,
  site: SITE,
  tracked: `${SITE}/m/7-signature`,
};

function compiledOf(content: string, more: Partial<Content> = {}) {
  const { email } = compile(
    {
      title: "Hi",
      subject: "",
      content,
      answers: {},
      channels: ["email"],
      attachments: [],
      kind: "message",
      ...more,
    },
    {
      siteName: "Maple",
      logo: "abc",
      smsPrefix: "",
      emailSignature: "https://maple.example/office",
      emailFooter: "See https://city.example/",
      track: { opens: true, clicks: true },
    },
    { key: "run-1", today: "today" },
  );
  return email!;
}

const hrefs = (html: string) => [...html.matchAll(/<a\b[^>]*href="([^"]*)"/g)].map(([, href]) => href);
const tracked = (html: ReturnType<typeof compiledOf>["html"], track: Partial<Tracked> = {}) =>
  renderTemplate(trackedHtml(html, { opens: true, clicks: true, ...track }, SITE), values, links);

const message =
  "Hello {{first_name}}, pay at https://pay.example/?unit={{property_unit}}&lang=en. " +
  "Rules: https://city.example/a'b?c=%22d%22. Yours: https://maple.example/notices and https://maple.example.evil/";

test("links lead through us, in their order, but those to the product itself", () => {
  const { html } = compiledOf(message);
  expect(hrefs(tracked(html))).toEqual([
    `${links.tracked}/0`,
    `${links.tracked}/1`,
    "https://maple.example/notices",
    `${links.tracked}/3`,
    "https://maple.example/office",
    links.preferences,
    links.unsubscribe,
    `${links.tracked}/7`,
  ]);
  expect([0, 1, 3, 7].map((n) => linkAt(html, n, values))).toEqual([
    "https://pay.example/?unit=Maple%20%26%20Co%204B&lang=en",
    "https://city.example/a'b?c=%22d%22",
    "https://maple.example.evil/",
    "https://city.example/",
  ]);
});

test("nothing but a link of this very email is followed", () => {
  const { html } = compiledOf(message);
  expect([5, 99, -1, 0.5].map((n) => linkAt(html, n, values))).toEqual([null, null, null, null]);
  expect(linkAt(html, 0, { first_name: "Ann" })).toBeNull();
});

test("a one-time link, mail and phone links, and a host with a person's detail in it stay as they are", () => {
  const oneTime = compiledOf("Open {{one_time_link}}", { kind: "credentials" }).html;
  expect(hrefs(tracked(oneTime))[0]).toBe(links.password);
  expect(linkAt(oneTime, 0, values)).toBeNull();
  const others = compiledOf(
    "[Write](mailto:a@example.com), [call](tel:+14155550100), https://{{first_name}}.example/x",
    { formatted: true },
  ).html;
  expect(hrefs(tracked(others)).slice(0, 3)).toEqual([
    "mailto:a@example.com",
    "tel:+14155550100",
    "https://Ann.example/x",
  ]);
  expect([0, 1, 2].map((n) => linkAt(others, n, values))).toEqual([null, null, null]);
});

describe("the image", () => {
  test("stands once, at the end, where opens are counted", () => {
    const { html } = compiledOf(message);
    expect(tracked(html).split(`<img src="${links.tracked}/open.gif"`)).toHaveLength(2);
    expect(tracked(html, { opens: false })).not.toContain("open.gif");
  });

  test("comes alone where clicks are not counted", () => {
    const html = compiledOf(message).html;
    const plain = renderTemplate(html, values, links);
    expect(tracked(html, { clicks: false }).replace(/<img src="[^"]*open\.gif"[^>]*>\n/, "")).toBe(plain);
  });
});

test("everything else about the email stays, and what no account tracks has no trace of it", () => {
  const compiled = compile(
    { title: "Hi", subject: "", content: message, answers: {}, channels: ["email"], attachments: [] },
    {
      siteName: "Maple",
      smsPrefix: "",
      emailSignature: "",
      emailFooter: "",
      track: { opens: true, clicks: true },
    },
    { key: "run-1", today: "today" },
  );
  expect(compiled.email).not.toHaveProperty("track");
  const rendered = renderEmail(
    { version: 1, key: "run-1", secret: "", fields: [], email: compiledOf(message) },
    values,
    links,
  );
  expect(rendered.html + rendered.text).not.toContain("/m/7");
});
