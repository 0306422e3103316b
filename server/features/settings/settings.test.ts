import { afterAll, beforeAll, expect, test } from "vitest";
import { settingKeys, settingTable } from "#contract/settings.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

let porchlight: TestApp;
let admin: Caller;
let tenant: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
  tenant = await porchlight.signedIn("tenant");
});
afterAll(() => porchlight.close());

const read = (key: string, as = admin) =>
  porchlight.call({ method: "GET", url: `/api/settings/value/${key}` }, as);
const save = (key: string, value: string) =>
  porchlight.call({ method: "POST", url: "/api/settings", body: { key, value, dataType: "string" } }, admin);

const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test.each(settingKeys)("%s has its written default", async (key) => {
  expect((await read(key)).json()).toEqual({ key, value: settingTable[key].default });
});

test("a saved value is read back, and who changed it is on record", async () => {
  await save("siteName", "Maple & Harbor");
  expect((await read("siteName")).json().value).toBe("Maple & Harbor");
  const audit = await porchlight.db.selectFrom("audit").selectAll().executeTakeFirstOrThrow();
  expect(audit).toMatchObject({
    actor_id: admin.userId,
    action: "setting.save",
    detail: { key: "siteName" },
  });
});

test("a logo is checked by what it is", async () => {
  expect((await save("companyLogo", `data:image/png;base64,${png}`)).statusCode).toBe(200);
  const disguised = Buffer.from("<svg/>").toString("base64");
  const reply = await save("companyLogo", `data:image/png;base64,${disguised}`);
  expect(reply.json().fields.value).toBe("Please upload a JPG or PNG image.");
  expect((await read("companyLogo")).json().value).toBe(`data:image/png;base64,${png}`);
});

test.each([
  ["companyLogo", "data:image/svg+xml;base64,PHN2Zy8+", "Please upload a JPG or PNG image."],
  [
    "companyLogo",
    `data:image/png;base64,${"A".repeat(2_900_000)}`,
    "Please upload an image smaller than 2MB.",
  ],
  ["siteName", "", "Site name is required"],
  ["siteEmail", "nobody", "Invalid email address"],
  ["timezone", "", "Timezone is required"],
  ["timezone", "Mars/Olympus", "This is not a time zone. One looks like America/New_York"],
  ["passwordMinLength", "7", "Minimum password length must be at least 8 characters"],
  ["sessionTimeout", "4", "Session timeout must be at least 5 minutes"],
])("%s refuses what does not fit with its sentence", async (key, value, sentence) => {
  const reply = await save(key, value);
  expect([reply.statusCode, reply.json().fields.value]).toEqual([400, sentence]);
});

test("a tenant reads the logo, and no policy", async () => {
  expect((await read("companyLogo", tenant)).statusCode).toBe(200);
  expect((await read("registration", tenant)).statusCode).toBe(403);
});

test("the set-up code is no setting", async () => {
  expect((await read("setupCode")).statusCode).toBe(400);
});
