import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile, UnfilledFieldsError, type Content, type Sender } from "./compile.ts";
import { answered, missingFields } from "#server/messages/fields.ts";
import { askedFields, fieldsOf, parseTemplate, TemplateError } from "#contract/text/message-fields.ts";
import { titleFor } from "./title.ts";
import { ownReason } from "./reason.ts";
import { renderEmail, renderPush, renderSms } from "./render.ts";

const sender: Sender = { siteName: "Maple Court", smsPrefix: "", emailSignature: "", emailFooter: "" };
const run = { key: "run-1", today: "November 25, 2026" };
const links = { unsubscribe: "https://m.example/u/1?a=b&c=d", preferences: "https://m.example/p/1" };

function content(overrides: Partial<Content>): Content {
  return {
    title: "Water off",
    subject: "",
    content: "Hello",
    answers: {},
    channels: ["email", "sms", "push"],
    attachments: [],
    ...overrides,
  };
}

function email(overrides: Partial<Content>, values = {}, settings: Partial<Sender> = {}) {
  return renderEmail(compile(content(overrides), { ...sender, ...settings }, run), values, links);
}

test("a title's field that is a word of JavaScript's objects is empty without a value", () => {
  expect(titleFor("Hi {{constructor}}{{first_name}}", { first_name: "Ann" })).toBe("Hi Ann");
});

test("no mark stands behind a link in a message from the right", () => {
  const { text } = renderSms(
    compile(
      content({ content: "שלום {{pay_link}}", answers: { pay_link: "https://pay.example/x" } }),
      sender,
      run,
    ),
    {},
    links,
  );
  expect(text).toMatch(/https:\/\/pay\.example\/x$/);
});

describe("template fields", () => {
  test("are found once each, with blanks inside the braces and in any case", () => {
    expect(fieldsOf("{{first_name}} {{ Amount }}", "{{first_name}}{{due_date}}")).toEqual([
      "first_name",
      "amount",
      "due_date",
    ]);
  });

  test.each([
    ["Hi {{}}", ""],
    ["Hi {{ two: words }}", "two: words"],
    ["Hi {{{first_name}}}", "{first_name"],
    ["Hi {{first_name", "first_name"],
    ["Hi {{first_name} there", "first_name} there"],
    ["Hi {{__proto__}}", "__proto__"],
  ])("%s is an error that names what stands there", (text, field) => {
    expect(() => parseTemplate(text)).toThrow(TemplateError);
    expect(() => parseTemplate(text)).toThrow(
      expect.objectContaining({ field, code: expect.stringMatching(/^(field-not-closed|not-a-field)$/) }),
    );
  });

  test.each([
    ["{{firstName}}", "first_name"],
    ["{{First Name}}", "first_name"],
    ["{{Constructor}}", "constructor_name"],
    ["{{prototype}}", "prototype_name"],
    ["{{ first-name }}", "first_name"],
    ["{{FIRST_NAME}}", "first_name"],
    ["{{first\u00a0name}}", "first_name"],
    ["{{Property / Unit}}", null],
    ["{{propertyUnit}}", "property_unit"],
    ["{{Due Date}}", "due_date"],
    ["{{due-date}}", "due_date"],
    ["{{dueDate}}", "duedate"],
  ])("%s means %s", (text, field) => {
    if (field === null) expect(() => parseTemplate(text)).toThrow(TemplateError);
    else expect(parseTemplate(text)).toEqual([{ field }]);
  });

  test("single braces and closing braces alone are text", () => {
    expect(parseTemplate("a { b } c }} d")).toEqual(["a { b } c }} d"]);
  });

  test("asked for are those that neither a person nor the calendar fills", () => {
    expect(askedFields(["{{first_name}} {{today}} {{amount}} {{unit_3}}"])).toEqual(["amount", "unit_3"]);
  });

  test("missing are those without a value; a last name may be nothing", () => {
    const values = { first_name: "Cher", last_name: "" };
    expect(missingFields(["last_name", "email", "constructor"], values)).toEqual(["email", "constructor"]);
  });

  test("a blank answer is none", () => {
    expect(answered({ amount: "5", due: " \n" })).toEqual({ amount: "5" });
  });
});

describe("compile", () => {
  test("ends a sentence once, whether or not an answer before the full stop has its own", () => {
    const text = (what: string, todo: string) => {
      const answers = { what, todo };
      const written = "Elm: {{what}}. Please {{todo}}. Or {{todo}}";
      return renderSms(
        compile(content({ title: "{{what}}.", content: written, answers }), sender, run),
        {},
        links,
      ).text;
    };
    expect(text("A pipe burst.", "turn off your taps. \n")).toBe(
      "Elm: A pipe burst. Please turn off your taps. Or turn off your taps.",
    );
    expect(text("It's 5 p.m.", "call 555.1234")).toBe(
      "Elm: It's 5 p.m. Please call 555.1234. Or call 555.1234",
    );
    const title = compile(content({ title: "{{what}}.", answers: { what: "Fire." } }), sender, run).push
      ?.title;
    expect(title).toEqual(["Fire."]);
  });

  test("names every asked-for field that no one filled", () => {
    const text = content({
      title: "{{event}}",
      content: "{{amount}} {{first_name}}",
      answers: { amount: " " },
    });
    expect(() => compile(text, sender, run)).toThrow(UnfilledFieldsError);
    expect(() => compile(text, sender, run)).toThrow("No value for {{event}}, {{amount}}.");
  });

  test("survives being stored as JSON, with only the person's fields left", () => {
    const compiled = compile(
      content({
        content: "{{today}} {{first_name}}: {{amount}}",
        answers: { amount: "$5", first_name: "Eve" },
      }),
      sender,
      run,
    );
    expect(compiled.fields).toEqual(["first_name"]);
    const stored = JSON.parse(JSON.stringify(compiled)) as typeof compiled;
    expect(stored).toEqual(compiled);
    expect(renderSms(stored, { first_name: "Ann" }).text).toBe("November 25, 2026 Ann: $5");
  });

  test("compiles for the chosen channels only", () => {
    const compiled = compile(content({ channels: ["sms"] }), sender, run);
    expect(Object.keys(compiled).sort()).toEqual(["fields", "key", "secret", "sms", "version"]);
    expect(() => renderEmail(compiled, {}, links)).toThrow("The run was not compiled for email.");
  });

  test("braces inside an answer or a person's value stay text", () => {
    const compiled = compile(
      content({ content: "{{note}} {{first_name}}", answers: { note: "{{x}}" } }),
      sender,
      run,
    );
    expect(renderSms(compiled, { first_name: "{{y}}" }).text).toBe("{{x}} {{y}}");
  });
});

describe("render", () => {
  test("a missing value is an error, never braces; inherited properties are no values", () => {
    const compiled = compile(content({ content: "{{phone}}" }), sender, run);
    expect(() => renderSms(compiled, { email: "a@b.example" })).toThrow("No value for {{phone}}.");
  });

  test("escapes values and text in HTML and leaves them plain in text and SMS", () => {
    const nasty = `<b onclick="x">O'Neil & Co</b>`;
    const compiled = compile(content({ content: `{{first_name}} ${nasty}` }), sender, run);
    const mail = renderEmail(compiled, { first_name: nasty }, links);
    const escaped = "&lt;b onclick=&quot;x&quot;&gt;O&#39;Neil &amp; Co&lt;/b&gt;";
    expect(mail.html).toContain(`${escaped} ${escaped}</p>`);
    expect(mail.html).not.toContain(nasty);
    expect(mail.text.startsWith(`${nasty} ${nasty}\n`)).toBe(true);
    expect(renderSms(compiled, { first_name: nasty }).text).toBe(`${nasty} ${nasty}`);
  });

  test("a subject and a push title are one line without control characters", () => {
    const compiled = compile(content({ title: " Hi\r\nBcc: {{first_name}}\u0007 " }), sender, run);
    const values = { first_name: "Ann\r\n\tX-Evil: 1\u0000" };
    expect(renderEmail(compiled, values, links).subject).toBe("Hi Bcc: Ann X-Evil: 1");
    expect(renderPush(compiled, values).title).toBe("Hi Bcc: Ann X-Evil: 1");
  });

  test("the email has its own subject, else the title", () => {
    expect(email({ subject: "For {{first_name}}" }, { first_name: "Ann" }).subject).toBe("For Ann");
    expect(email({ subject: "  " }).subject).toBe("Water off");
  });

  test("paragraphs, line breaks and direction are kept", () => {
    const { html } = email({ content: "One\r\ntwo\n \nשלום" });
    expect(html).toMatch(/<p dir="auto"[^>]*>One<br>\ntwo<\/p><p dir="auto"[^>]*>שלום<\/p>/);
  });

  test("links http(s) addresses only, without the sentence's own punctuation", () => {
    const { html } = email({
      content: `See (https://a.example/x_(y)?q=1&r="2"). Or http://b.example! Not javascript:alert(1) nor https://`,
    });
    const hrefs = Array.from(html.matchAll(/href="([^"]*)"/g), (match) => match[1]);
    expect(hrefs.slice(0, 2)).toEqual(["https://a.example/x_(y)?q=1&amp;r=", "http://b.example"]);
    expect(hrefs).toHaveLength(4);
  });

  test("a field inside an address is percent-encoded there and readable in its text", () => {
    const written = "For {{property_unit}}: https://pay.example/{{part}}/{{property_unit}}.";
    const message = { content: written, answers: { part: "b)" } };
    const { html, text } = email(message, { property_unit: `4 "B"` });
    expect(html).toContain(`href="https://pay.example/b%29/4%20%22B%22"`);
    expect(html).toContain(`>https://pay.example/b%29/4 &quot;B&quot;</a>.</p>`);
    const plain = `For 4 "B": https://pay.example/b%29/4%20%22B%22.`;
    expect(text.split("\n")[0]).toBe(plain);
    const compiled = compile(content(message), sender, run);
    expect(renderSms(compiled, { property_unit: `4 "B"` }).text).toBe(plain);
  });

  test.each([
    [
      "in a query",
      "https://pay.example/?unit={{unit}}&on={{today}}",
      "4 B & C?",
      "?unit=4%20B%20%26%20C%3F&on=November%2025%2C%202026",
    ],
    ["in a path", "https://pay.example/{{unit}}/{{ unit }}", "a/4 B", "a/4%20B/a/4%20B"],
    ["behind a person's", "https://pay.example/{{property_name}}/{{unit}}", "4 B", "Elm/4%20B"],
    ["in parentheses", "https://pay.example/x_({{unit}})?q={{unit}}", "4 B", "x_(4%20B)?q=4%20B"],
    ["that is its host", "https://{{unit}}/?q=a", "pay.example/x", "x/?q=a"],
    ["that is all of it", "{{unit}}", "https://pay.example/?a=1&b=(2)", "?a=1&b=(2)"],
    [
      "behind one that is its start",
      "{{unit}}{{today}}",
      "https://pay.example/?day=",
      "?day=November%2025%2C%202026",
    ],
  ])("an answer inside an address is percent-encoded there: %s", (_, address, unit, path) => {
    const compiled = compile(content({ content: `Pay: ${address}.`, answers: { unit } }), sender, run);
    const values = { property_name: "Elm" };
    const written = `https://pay.example/${path}`;
    const { html, text } = renderEmail(compiled, values, links);
    const escaped = written.replaceAll("&", "&amp;");
    expect(html).toContain(`href="${escaped}"`);
    expect(html).toContain(`>${escaped}</a>.</p>`);
    expect(text.split("\n")[0]).toBe(`Pay: ${written}.`);
    expect(renderSms(compiled, values).text).toBe(`Pay: ${written}.`);
    expect(renderPush(compiled, values).body).toBe(`Pay: ${written}.`);
  });

  test("a value beside an address, in a title and in a subject is left as it is", () => {
    const written = "https://pay.example/ {{note}} (https://pay.example/){{note}}, {{first_name}}{{note}}";
    const address = "https://pay.example/?unit={{note}}";
    const note = "4 B & C";
    const compiled = compile(
      content({ title: address, subject: `For ${address}`, content: written, answers: { note } }),
      sender,
      run,
    );
    const values = { first_name: "Mary Ann" };
    const { text, subject } = renderEmail(compiled, values, links);
    const plain = `https://pay.example/ ${note} (https://pay.example/)${note}, Mary Ann${note}`;
    expect(text.split("\n")[0]).toBe(plain);
    expect(renderSms(compiled, values).text).toBe(plain);
    expect(subject).toBe(`For https://pay.example/?unit=${note}`);
    expect(renderPush(compiled, values)).toEqual({ title: `https://pay.example/?unit=${note}`, body: plain });
  });

  test("signature, footer, attachments, reason and both links stand around the message", () => {
    const mail = email(
      {
        attachments: [
          { name: "plan <1>.pdf", size: 1_250_000 },
          { name: "b.png", size: 10 },
        ],
      },
      {},
      {
        emailSignature: "Your team",
        emailFooter: "Sent with care",
        siteName: "Elm & Oak",
        postalAddress: "1 Elm St\nEastmere, NY\n",
      },
    );
    expect(mail.text).toBe(
      "Hello\n\nYour team\n\n2 files attached: plan <1>.pdf (1.3 MB), b.png (1 KB)\n\n-- \nYou get this because Elm & Oak has this address on file.\n" +
        "Change what you get: https://m.example/p/1\nUnsubscribe: https://m.example/u/1?a=b&c=d\n\n" +
        "Elm & Oak, 1 Elm St, Eastmere, NY\n\nSent with care\n",
    );
    expect(mail.html).toContain("2 files attached: plan &lt;1&gt;.pdf (1.3 MB), b.png (1 KB)");
    expect(mail.html).toContain(`href="https://m.example/u/1?a=b&amp;c=d"`);
    expect(mail.html).toContain("Elm &amp; Oak");
  });

  test("the reason is the person's own, and the postal address names the organization once", () => {
    const reason = (name: string, home: string | null) => {
      const { text, html } = email({}, ownReason({ name, home }), { postalAddress: "Maple Court, 1 Elm St" });
      expect(text).toContain("\nMaple Court, 1 Elm St\n");
      const [sentence = ""] = /You get this because .*/.exec(text) ?? [];
      expect(html).toContain(sentence);
      return sentence.replace("You get this because ", "");
    };
    expect(reason("Tina Torres", "Harbor View 4B")).toBe("you live at Harbor View 4B.");
    expect(reason("Tina Torres", "4B")).toBe("you live at unit 4B.");
    expect(reason("Tina Torres", " ")).toBe("Maple Court has this address on file.");
    expect(reason("Sam Staff", null)).toBe("Maple Court has this address on file.");
    expect(reason("Siemens AG", "Harbor View 4B")).toBe("Maple Court has this address on file.");
    const hebrew = ownReason({ name: "שרה", home: "בית 4" });
    expect(email({}, hebrew).text).toContain("you live at \u2068בית 4\u2069.");
    expect(email({}, hebrew).html).toContain("you live at <bdi>בית 4</bdi>.");
  });

  test("what is about a person's account has a button, says when it expires, and can't be unsubscribed from", () => {
    const account = {
      content: "Choose one.\n\n{{one_time_link}}\n\nIt works until {{link_expires}}.",
      kind: "credentials" as const,
    };
    const own = { ...links, password: "https://m.example/set/1" };
    const mail = renderEmail(compile(content(account), sender, run), { "@expires": "Fri 27 Nov" }, own);
    expect(mail.html).toContain('<a href="https://m.example/set/1"');
    expect(mail.html).toMatch(/>Choose a password<\/a>/);
    expect(mail.text).toContain("Choose one.\n\nhttps://m.example/set/1\n\nIt works until Fri 27 Nov.");
    const notice = email({ kind: "notice" });
    expect(notice.text).toContain("You get this because you have an account at Maple Court.");
    const confirmation = email({ kind: "confirmation" }, ownReason({ name: "Ann", home: "Elm 4" }));
    expect(confirmation.text).toContain("because someone entered this address at Maple Court.");
    for (const { html, text } of [mail, notice, confirmation]) {
      expect(`${html}${text}`).not.toMatch(/unsubscribe|Change what you get|m\.example\/[up]\//i);
    }
    expect(email({ kind: "test" }).text).toContain("Unsubscribe: ");
  });

  test("a word that is wider than a phone wraps", () => {
    const { html } = email({ content: "x".repeat(300) });
    const tags = [...html.matchAll(/<(?:p|h1)\b[^>]*>/g)].map(([tag]) => tag);
    expect(tags.length).toBeGreaterThan(3);
    expect(tags.filter((tag) => !tag.includes("overflow-wrap:anywhere"))).toEqual([]);
  });

  test("the SMS prefix comes before the message", () => {
    const compiled = compile(content({ content: "\nHello\n" }), { ...sender, smsPrefix: "Maple: " }, run);
    expect(renderSms(compiled, {}).text).toBe("Maple: Hello");
  });

  test("a confirmation says itself who asks, so the prefix doesn't say it again", () => {
    const compiled = compile(
      content({
        kind: "confirmation",
        content: "{{site_name}}: Did you enter this number?",
        answers: { site_name: "Maple Court" },
      }),
      { ...sender, smsPrefix: "Maple Court:" },
      run,
    );
    expect(renderSms(compiled, {}).text).toBe("Maple Court: Did you enter this number?");
  });

  test("any text and value reaches text message and mail text unchanged, whatever it is made of", () => {
    const visible = (written: string) => written.replaceAll(/[\u2068\u2069]/g, "");
    const tags = (html: string) => html.replace(/<\/?(?:p|a|br|bdi)\b[^>]*>/g, "").match(/<[^>]*>/g);
    const ordinary = tags(email({}).html);
    const text = fc.string({ unit: "grapheme" }).filter((value) => !value.includes("{{"));
    fc.assert(
      fc.property(text, text, text, (before, value, after) => {
        const compiled = compile(content({ content: `|${before}{{tenant_name}}${after}|` }), sender, run);
        const expected = visible(`|${before}${value}${after}|`);
        expect(visible(renderSms(compiled, { tenant_name: value }).text)).toBe(expected);
        const mail = renderEmail(compiled, { tenant_name: value }, links);
        expect(visible(mail.text).startsWith(expected)).toBe(true);
        expect(tags(mail.html)).toEqual(ordinary);
      }),
    );
  });

  describe("a value that runs from the right", () => {
    const sara = { first_name: "שרה" };
    const [open, close] = ["\u2068", "\u2069"];

    test("doesn't turn the text around it, on any channel", () => {
      const text = "{{first_name}}, your rent is due on May 5.";
      const compiled = compile(content({ title: "Rent for {{first_name}}", content: text }), sender, run);
      const mail = renderEmail(compiled, sara, links);
      expect(mail.html).toContain("<bdi>שרה</bdi>, your rent");
      expect(mail.html).toContain("<title>Rent for שרה</title>");
      expect(mail.text).toContain(`${open}שרה${close}, your rent`);
      expect(mail.subject).toBe(`Rent for ${open}שרה${close}`);
      expect(renderSms(compiled, sara).text).toBe(`${open}שרה${close}, your rent is due on May 5.`);
      expect(renderPush(compiled, sara).title).toBe(mail.subject);
      // No letter more than before for everyone else: such marks would double the price of a text message.
      const other = { first_name: "Sara" };
      expect(renderSms(compiled, other).text).toBe("Sara, your rent is due on May 5.");
      expect(renderEmail(compiled, other, links).html).not.toContain("bdi");
    });

    test("nor does one from the left in a text from the right", () => {
      const compiled = compile(
        content({ content: "שלום {{first_name}}, הדירה {{property_unit}}." }),
        sender,
        run,
      );
      const values = { first_name: "Sara", property_unit: "4-12" };
      expect(renderSms(compiled, values).text).toBe(`שלום ${open}Sara${close}, הדירה ${open}4-12${close}.`);
      expect(renderSms(compiled, { ...sara, property_unit: "דירה" }).text).toBe("שלום שרה, הדירה דירה.");
    });

    test("what the sender fills in is set apart, too, but a line of its own runs as it does", () => {
      const answers = { place: "בית כנסת", news: "הודעה לכולם" };
      const mail = email({ content: "Meet at {{place}} at 9.\n\n{{news}}", answers }, sara);
      expect(mail.html).toContain("Meet at <bdi>בית כנסת</bdi> at 9.");
      expect(mail.html).toMatch(/<p dir="auto"[^>]*>הודעה לכולם<\/p>/);
    });

    test("and a link stays a link", () => {
      const mail = email({ content: "Open https://example.com/{{first_name}} now, {{first_name}}." }, sara);
      expect(mail.html).toContain('href="https://example.com/%D7%A9%D7%A8%D7%94"');
      expect(mail.text).toContain("https://example.com/%D7%A9%D7%A8%D7%94 now,");
    });
  });

  test("a 10,000-character title of emoji and right-to-left letters renders whole", () => {
    const title = "🏠ש".repeat(3334);
    expect(email({ title }).subject).toBe(title);
  });
});
