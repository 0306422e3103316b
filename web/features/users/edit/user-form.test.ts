import { describe, expect, test } from "vitest";
import type { ProviderState } from "#contract/calls/integrations.ts";
import type { Channel } from "#contract/delivery.ts";
import { perPreference, type UserDetail } from "#contract/calls/users.ts";
import {
  createBody,
  credentialsChannels,
  emptyForm,
  fieldOf,
  formOf,
  homeOf,
  linkText,
  updateBody,
  userRules,
  type UserForm,
} from "#web/features/users/edit/user-form.ts";
import { savedText } from "#web/features/users/edit/use-user-form.ts";

const mei: UserDetail = {
  id: 7,
  standing: "now",
  username: "mei.tanaka",
  firstName: "Mei",
  lastName: "Tanaka",
  email: "mei@example.com",
  phone: "+14155550123",
  details: {},
  otherContacts: "",
  role: "tenant",
  propertyUnit: "Maple Court 4B",
  property: "Maple Court",
  unit: "4B",
  ...perPreference((channel) => channel === "email"),
  groups: [
    { id: 1, name: "All Tenants", byRule: true },
    { id: 9, name: "Roof", byRule: false },
  ],
  hasPassword: false,
  twoFactor: false,
  stranger: false,
  addressConfirmed: true,
  phoneConfirmed: true,
  archivedThrough: null,
  lastSeenAt: null,
  createdAt: "2026-11-01T09:00:00.000Z",
  updatedAt: "2026-11-02T09:00:00.000Z",
  consents: [],
  suppressions: [],
};

const filled: UserForm = {
  ...emptyForm,
  username: "omar",
  email: "omar@example.com",
  firstName: "Omar",
  lastName: "Haddad",
  password: "eight-or-more",
  sendCredentials: false,
};

async function sentences(form: UserForm, stored?: UserDetail) {
  const checked = await userRules(stored)(form, undefined, {
    fields: {},
    shouldUseNativeValidation: false,
  });
  return Object.fromEntries(
    Object.entries(checked.errors).map(([name, error]) => [name, (error as { message?: string }).message]),
  );
}

describe("the rules", () => {
  // spec 410-413, 415, 416
  test("say what the specification writes", async () => {
    expect(await sentences(emptyForm)).toEqual({
      username: "Username must be at least 3 characters",
      email: "Invalid email address",
      firstName: "First name is required",
      lastName: "Last name is required",
      password: "Password must be at least 8 characters",
    });
    // How many are too few, the server says by its policy.
    expect(await sentences({ ...filled, password: "seven77" })).toEqual({});
    expect(await sentences(filled)).toEqual({});
  });

  test("an address may be missing, but not be taken away", async () => {
    expect(await sentences({ ...formOf(mei), email: "" }, mei)).toEqual({ email: "Invalid email address" });
    const without = { ...mei, email: null };
    expect(await sentences(formOf(without), without)).toEqual({});
    expect(await sentences({ ...formOf(without), email: "mei@" }, without)).toEqual({
      email: "Invalid email address",
    });
  });

  test("a link replaces a new person's password, while it has somewhere to go", async () => {
    const linked = { ...filled, password: "", sendCredentials: true };
    expect(await sentences(linked)).toEqual({});
    expect(await sentences({ ...linked, receiveEmail: false, receiveSms: false })).toHaveProperty("password");
    // One that was typed before the link was chosen isn't set.
    expect(createBody({ ...linked, password: "eight-or-more" })).toMatchObject({ password: "" });
    // A text message needs a phone number.
    expect(await sentences({ ...linked, receiveEmail: false })).toHaveProperty("password");
    expect(await sentences({ ...linked, receiveEmail: false, phone: "(415) 555-0123" })).toEqual({});
  });

  // spec 417
  test("an edited person keeps the password when none is typed", async () => {
    expect(await sentences(formOf(mei), mei)).toEqual({});
    expect(updateBody(formOf(mei), mei)).not.toHaveProperty("password");
  });
});

describe("what is sent", () => {
  // spec 419, 420
  test("the defaults: a tenant who takes email and SMS, no push", () => {
    expect(createBody(filled)).toMatchObject({
      role: "tenant",
      receiveEmail: true,
      receiveSms: true,
      receivePush: false,
      groupIds: [],
    });
    expect(createBody(filled)).not.toHaveProperty("sendCredentials");
  });

  test("nothing of consents and groups that was not changed", () => {
    const same = updateBody(formOf(mei), mei);
    for (const name of ["receiveEmail", "receiveSms", "receivePush", "groupIds", "property", "unit"]) {
      expect(same).not.toHaveProperty(name);
    }
    const changed = updateBody({ ...formOf(mei), receiveSms: true, groups: [] }, mei);
    expect(changed).toMatchObject({ receiveSms: true, groupIds: [], updatedAt: mei.updatedAt });
    expect(changed).not.toHaveProperty("receiveEmail");
  });

  test("a correction of property and unit, only when there is one", () => {
    expect(createBody({ ...filled, property: "A", unit: "1" })).not.toHaveProperty("property");
    expect(createBody({ ...filled, corrected: true, property: "A", unit: "1" })).toMatchObject({
      property: "A",
      unit: "1",
    });
  });

  test("the phone is read at home's form", () => {
    expect(formOf(mei).phone).toBe("(415) 555-0123");
  });
});

describe("where someone lives", () => {
  const typed = (propertyUnit: string) => ({ ...emptyForm, propertyUnit });

  test("is recognized while it is typed", () => {
    expect(homeOf(typed("Elm House, Unit 3"), undefined)).toEqual({ property: "Elm House", unit: "3" });
    expect(homeOf(typed(""), undefined)).toEqual({ property: "", unit: "" });
  });

  test("is what was stored, until something else is typed", () => {
    const byHand = { propertyUnit: "The Old Mill 2", property: "The Old Mill 2", unit: null };
    expect(homeOf(typed("The Old Mill 2 "), byHand)).toEqual({ property: "The Old Mill 2", unit: "" });
    expect(homeOf(typed("The Old Mill 3"), byHand)).toEqual({ property: "The Old Mill", unit: "3" });
  });

  test("is what was corrected", () => {
    expect(homeOf({ ...typed("Elm 3"), corrected: true, property: " Elm 3 ", unit: "" }, undefined)).toEqual({
      property: "Elm 3",
      unit: "",
    });
  });
});

test("a link goes by the channels that are on and have an address", () => {
  const both = { email: "a@example.com", phone: "415 555 0123", receiveEmail: true, receiveSms: true };
  expect(credentialsChannels(both)).toEqual(["email", "sms"]);
  expect(credentialsChannels({ ...both, receiveSms: false })).toEqual(["email"]);
  expect(credentialsChannels({ ...both, receiveEmail: false, receiveSms: false })).toEqual([]);
  expect(credentialsChannels({ ...both, phone: " " })).toEqual(["email"]);
  expect(credentialsChannels({ ...both, email: "" })).toEqual(["sms"]);
});

test("the server's sentences land on their fields", () => {
  expect(fieldOf("phone")).toBe("phone");
  expect(fieldOf("groupIds")).toBe("groups");
  expect(fieldOf("channels")).toBeUndefined();
});

describe("what is said of the link", () => {
  const provider = (channel: Channel, state: ProviderState["state"]): ProviderState => ({
    id: 1,
    channel,
    kind: "smtp",
    name: "Mail",
    state,
    reason: "",
    waiting: 0,
    paused: [],
  });
  const [noMail, noTexts] = [provider("email", "Sandbox"), provider("sms", "Sandbox")];

  test.each([
    [
      [provider("email", "Connected"), provider("sms", "Error")],
      /^Sends a link by email and text message\. It/,
    ],
    [
      [provider("email", "Connected"), noTexts],
      /^Sends a link by email\. None by text message: no text message account is connected\. It/,
    ],
    [[noMail, noTexts], /^No link can be sent: no mail account or text message account is connected\./],
    // Until the page knows better.
    [[], /^Sends a link by email and text message\. It/],
  ])("before saving, only channels with an account send it", (providers, text) => {
    expect(linkText(["email", "sms"], providers)).toMatch(text);
  });

  const saved = (sent: boolean, waits: boolean) =>
    savedText({ ...mei, credentials: { sent, waits, message: "Because." } }, "User created");

  test("after saving, only what was sent looks like a success", () => {
    expect(saved(true, false)).toMatchObject({ title: "User created", description: "Because." });
    expect(saved(true, false)).not.toHaveProperty("variant");
    expect(saved(false, true)).toMatchObject({ title: "User created", variant: "waiting" });
    expect(saved(false, false)).toMatchObject({
      title: "User created, but no link was sent",
      description: expect.stringMatching(/was saved\. Because\.$/),
      variant: "destructive",
    });
  });
});
