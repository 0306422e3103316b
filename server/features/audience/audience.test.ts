import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { channelSet } from "#server/audience/person.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let staff: Caller;
let tenants: { type: "group"; id: number };
let luis: number;

beforeAll(async () => {
  porchlight = await testApp({ now: () => new Date("2026-11-20T03:30:00Z") });
  staff = await porchlight.signedIn("staff");
  luis = await insertPerson(porchlight.db, {
    firstName: "Luis",
    lastName: "Ortega",
    phone: "+12125550123",
    propertyUnit: "Harbor House 12",
  });
  await insertPerson(porchlight.db, {
    firstName: "Ágnes-Margaréta Łucja",
    lastName: "Wiśniewska",
    phone: "+12125550124",
    propertyUnit: "Maple Court 4B",
  });
  const dana = await insertPerson(porchlight.db, {
    firstName: "Dana",
    lastName: "Whitfield",
    email: null,
    phone: "+12125550125",
  });
  await porchlight.db
    .updateTable("users")
    .set({ channels: channelSet(["email"]) })
    .where("id", "=", dana)
    .execute();
  const { id } = await porchlight.db
    .selectFrom("user_groups")
    .select("id")
    .where("name", "=", "All Tenants")
    .executeTakeFirstOrThrow();
  tenants = { type: "group", id };
});
afterAll(() => porchlight.close());

const post = (url: string, body: object) => porchlight.call({ method: "POST", url, body }, staff);
const preview = async (more: object) =>
  (
    await post("/api/audience/preview", {
      recipients: [tenants],
      channels: ["email", "sms", "push"],
      title: "Water",
      ...more,
    })
  ).json();

describe("reach", () => {
  test("counts people, messages, and names who gets nothing and why", async () => {
    const reply = await post("/api/audience/reach", { recipients: [tenants], channels: ["email", "sms"] });
    expect(reply.json()).toMatchObject({
      people: 3,
      reached: 2,
      messages: 4,
      byChannel: { email: { willGet: 2 }, sms: { willGet: 2, simulated: true }, push: { willGet: 0 } },
      unreachable: {
        total: 1,
        first: [
          {
            name: "Dana Whitfield",
            reasons: [
              { channel: "email", reason: "no-email", sentence: "No email address on file." },
              { channel: "sms", reason: "opted-out" },
            ],
          },
        ],
      },
    });
  });

  test("a person in two chosen groups counts once", async () => {
    const everyone = [tenants, { type: "user", id: luis }];
    expect(
      (await post("/api/audience/reach", { recipients: everyone, channels: ["email"] })).json().people,
    ).toBe(3);
  });

  test("a channel that is named twice counts once", async () => {
    const channels = ["sms", "email", "EMAIL", "email"];
    expect((await post("/api/audience/reach", { recipients: [tenants], channels })).json().messages).toBe(4);
  });

  test("no one chosen is no one", async () => {
    expect((await post("/api/audience/reach", { recipients: [], channels: [] })).json()).toMatchObject({
      people: 0,
      messages: 0,
    });
  });

  test("who lacks a field that the message uses gets nothing, and is named", async () => {
    const fields = ["first_name", "property_unit", "amount"];
    const body = { recipients: [tenants], channels: ["email", "sms"], fields };
    const nobody = await insertPerson(porchlight.db, { firstName: "Noor", lastName: "Homeless" });
    const reply = await post("/api/audience/reach", body);
    const list = await post("/api/audience/reach/list", { ...body, only: "unreachable", q: "noor" });
    await porchlight.db.deleteFrom("users").where("id", "=", nobody).execute();
    expect(reply.json()).toMatchObject({ people: 4, reached: 2 });
    expect(reply.json().unreachable.first[1]).toMatchObject({
      name: "Noor Homeless",
      reasons: [
        {
          channel: "email",
          reason: "missing-field",
          sentence: "No property/unit is on file, and the message needs it.",
        },
        { channel: "sms", reason: "no-phone" },
      ],
    });
    expect(list.json()).toMatchObject([{ reason: "missing-field" }, { reason: "no-phone" }]);
  });

  test("the list tells it person by person", async () => {
    const reply = await post("/api/audience/reach/list", {
      recipients: [tenants],
      channels: ["email"],
      only: "skipped",
    });
    expect(reply.headers["x-total-count"]).toBe("1");
    expect(reply.json()).toMatchObject([{ name: "Dana Whitfield", channel: "email", reason: "no-email" }]);
  });
});

describe("preview", () => {
  test("shows the chosen person's message on each channel", async () => {
    const shown = await preview({
      message: "Hello {{first_name}} in {{property_unit}}, {{today}}",
      userId: luis,
    });
    expect(shown.person).toEqual({ userId: luis, name: "Luis Ortega" });
    // Half past three in the night of the 20th, UTC, is the evening of the 19th in New York.
    const text = "Hello Luis in Harbor House 12, November 19, 2026";
    expect(shown.sms.text).toBe(text);
    expect(shown.push).toEqual({ title: "Water", body: text });
    expect(shown.email).toMatchObject({ subject: "Water", text: expect.stringContaining(text) });
  });

  test("prices a text by the person whose text costs the most, and names the letter", async () => {
    const message = `Hello {{first_name}}, ${"the water is off this Thursday from nine to eleven. ".repeat(2)}`;
    const { sms } = await preview({ message, userId: luis });
    expect(sms.parts).toMatchObject({ parts: 1, encoding: "GSM-7" });
    expect(sms.worst).toMatchObject({ parts: 2, encoding: "UCS-2" });
    expect(sms.worst.costlyCharacter).toBe("Á");
    expect(sms.costlyFrom).toMatchObject({ field: "first_name", person: expect.stringContaining("Á") });
  });

  test("tells the text's own costly letter from one that the sender filled in", async () => {
    const own = await preview({ message: "Hello’", userId: luis });
    expect(own.sms.costlyFrom).toBeNull();
    const answer = { fieldValues: { work: "Gérald’s roof" } };
    const filledIn = await preview({ message: "{{work}} is mended", ...answer, userId: luis });
    expect(filledIn.sms).toMatchObject({ worst: { costlyCharacter: "’" }, costlyFrom: { field: "work" } });
    expect(filledIn.sms.costlyFrom.person).toBeNull();
  });

  test("offers plain quotes where they save parts", async () => {
    const { sms } = await preview({ message: `“${"x".repeat(100)}”`, userId: luis });
    expect(sms.plainParts).toBe(1);
    expect((await preview({ message: "plain", userId: luis })).sms.plainParts).toBeNull();
  });

  test("what no one has filled in stands in brackets and is listed", async () => {
    const shown = await preview({ message: "Due {{due_date}}", userId: luis });
    expect(shown.sms.text).toBe("Due [due date]");
    expect(shown.missingFields).toEqual(["due_date"]);
  });

  test("broken braces are a problem in words, not a failure", async () => {
    const shown = await preview({ message: "Hello {{first.name}}" });
    expect(shown.problem).toContain("first.name");
    expect(shown.sms).toBeNull();
  });

  test("a template shows its own text and subject", async () => {
    const shown = await preview({
      templateId: "rent-reminder",
      message: "",
      fieldValues: { amount: "$900", due_date: "1 December" },
      userId: luis,
    });
    expect(shown.email.subject).toBe("Rent for Harbor House 12 is due on 1 December");
  });

  test("notes the attached files with their sizes", async () => {
    const shown = await preview({
      message: "See the plan",
      attachments: [{ name: "plan.pdf", size: 2_400_000 }],
      userId: luis,
    });
    expect(shown.email.html).toContain("plan.pdf");
    expect(shown.email.html).toContain("2.4 MB");
  });

  test("the links of a mail lead to no one's preferences", async () => {
    const shown = await preview({ message: "Hello", userId: luis });
    expect(shown.email.html).toContain("/u/for-the-recipient-only");
    expect(shown.email.html).not.toContain('href="#"');
  });

  test("the page of a mail runs no script of the text", async () => {
    const shown = await preview({
      message: "<script>alert(1)</script><img src=x onerror=alert(1)>",
      userId: luis,
    });
    expect(shown.email.html).not.toContain("<script>alert");
    expect(shown.email.html).not.toContain("<img src=x");
  });
});

test("the clock is the organization's", async () => {
  const reply = await porchlight.call({ method: "GET", url: "/api/clock" }, staff);
  expect(reply.json()).toMatchObject({ timeZone: "America/New_York", today: "2026-11-19", time: "22:30" });
});

test("what has not gone out says how many people it is for, as its groups are now", async () => {
  const make = async (title: string, recipients: string, status: string) => {
    const body = { title, content: "Hi", recipients, channels: ["email"], status, recurrence: "daily" };
    return (await post("/api/notifications", body)).json<{ id: number }>().id;
  };
  const draft = await make("Draft", "Luis Ortega", "Draft");
  const recurring = await make("Rent", "All Tenants", "Recurring");
  const also = await make("Rent too", "All Tenants", "Recurring");
  const asked = { notificationIds: [draft, recurring, also, 4711] };
  const people = async () =>
    Object.fromEntries(
      (await post("/api/audience/planned", asked))
        .json<{ notificationId: number; people: number }[]>()
        .map((one) => [one.notificationId, one.people]),
    );
  const before = await people();
  expect(before).toEqual({ [draft]: 1, [recurring]: before[also], [also]: before[recurring] });
  await insertPerson(porchlight.db);
  expect((await people())[recurring]).toBe((before[recurring] ?? 0) + 1);

  await post(`/api/notifications/${draft}/send`, {});
  expect(Object.keys(await people())).not.toContain(String(draft));
});
