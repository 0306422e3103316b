import * as z from "zod";
import { endpoint } from "#contract/endpoint.ts";
import { email, line, minKey, minLine } from "#contract/fields.ts";
import { numberText } from "#contract/text/locale.ts";

export const roles = ["admin", "staff", "tenant"] as const;
export type Role = (typeof roles)[number];

/** The person who is signed in. */
export const currentUser = z.object({
  id: z.number(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string().nullable(),
  role: z.enum(roles),
});
export type CurrentUser = z.output<typeof currentUser>;

/** The second step of a sign-in: a code from an app, a passkey, or one of the codes kept for a lost phone. */
export const secondFactors = ["app", "passkey", "recovery"] as const;
export type SecondFactor = (typeof secondFactors)[number];

export const signedIn = currentUser.extend({
  /** An administrator who has to set up a second factor: until then, other calls answer "two-factor-required". */
  mustSetUpTwoFactor: z.literal(true).optional(),
  /** Their password had expired at sign-in: until they change it, other calls answer "password-expired". */
  passwordExpired: z.literal(true).optional(),
});
export type SignedIn = z.output<typeof signedIn>;

// A password is never trimmed. The limit bounds the cost of hashing it.
const PASSWORD_MAX = 1024;
const password = (min: number, said = min) =>
  z
    .string({ error: `Password must be at least ${said} characters` })
    .min(min, `Password must be at least ${said} characters`)
    .max(PASSWORD_MAX, `Password must be at most ${numberText(PASSWORD_MAX)} characters`);
/** The server checks it by the policy, whose minimum is 8 or more: a sentence said here would name too few. */
export const newPassword = password(1, 8);

/** The form asks for the password twice; the call sends it once. */
export const withConfirmation = <Shape extends { password: z.ZodString }>(form: z.ZodObject<Shape>) =>
  form
    .extend({ confirmPassword: z.string({ error: "Passwords do not match" }) })
    .refine((filled: Partial<Record<string, unknown>>) => filled["password"] === filled["confirmPassword"], {
      path: ["confirmPassword"],
      message: "Passwords do not match",
      when: (payload) => typeof payload.value === "object" && payload.value !== null,
    });

const username = minKey("Username", 3, 64, "Username must be at least 3 characters");

export const loginForm = z.object({
  username,
  password: password(6),
  /** Other people use this browser, too, so it keeps nothing about this person. */
  sharedComputer: z.boolean().optional(),
});
export type LoginForm = z.output<typeof loginForm>;

const registerBody = z.object({
  firstName: minLine("First name", 2, 100, "First name must be at least 2 characters"),
  lastName: minLine("Last name", 2, 100, "Last name must be at least 2 characters"),
  username,
  email: email("Please enter a valid email address"),
  password: newPassword,
  setupCode: line("Setup code", 64).optional(),
  /** The browser's. With the first account it becomes the organization's, unless we don't know it. */
  timeZone: line("Time zone", 64).optional(),
});

export const registerForm = withConfirmation(registerBody);
export type RegisterForm = z.output<typeof registerForm>;

/** The screen that a confirmation link opens. */
export const confirmAddressPath = (token: string) => `/confirm-email/${token}`;

export const linkToken = z.object({ token: z.string().min(1).max(300) });

/** The one-time link with which people confirm an email address or a phone number that they entered for themselves. */
export const confirmation = {
  read: endpoint({
    method: "GET",
    path: "/api/auth/confirmation/{token}",
    access: "public",
    summary: "Whose address a link confirms, while it is valid. Reading it doesn't use it up",
    params: linkToken,
    reply: z.object({
      siteName: z.string(),
      username: z.string(),
      field: z.enum(["email", "phone"]),
      address: z.string(),
    }),
  }),
  use: endpoint({
    method: "POST",
    path: "/api/auth/confirmation/{token}",
    access: "public",
    summary: "Confirm the address. The link stops working",
    params: linkToken,
    reply: z.object({ message: z.string() }),
  }),
  send: endpoint({
    method: "POST",
    path: "/api/auth/confirmation",
    access: "signed-in",
    summary: "Send yourself another link to confirm your email address or phone number",
    query: z.object({ field: z.enum(["email", "phone"]).default("email") }),
    reply: z.object({ message: z.string() }),
  }),
};

export const auth = {
  state: endpoint({
    method: "GET",
    path: "/api/auth/state",
    access: "public",
    summary: "What the sign-in screen needs before anyone is signed in",
    reply: z.object({
      /** There are no accounts yet. The first one becomes the administrator. */
      firstRun: z.boolean(),
      registration: z.enum(["open", "closed"]),
      /** Creating the first account from another computer requires the code that the server printed. */
      setupCodeNeeded: z.boolean(),
      /** Shown instead of the form when registration is closed. */
      closedMessage: z.string().nullable(),
      /** A sentence with the rules for new passwords. */
      passwordHint: z.string(),
      siteName: z.string(),
      /** The address of the logo's image; null without a logo. */
      logo: z.string().nullable(),
      /** Where passkeys work: a page at another address can't use them. Null: nowhere, because they need https. */
      passkeyOrigin: z.string().nullable(),
    }),
  }),
  me: endpoint({
    method: "GET",
    path: "/api/auth/me",
    access: "signed-in",
    summary: "The person who is signed in",
    duringSetUp: true,
    withExpiredPassword: true,
    reply: signedIn,
  }),
  login: endpoint({
    method: "POST",
    path: "/api/auth/login",
    access: "public",
    summary: "Sign in. Sets the session cookie, or for someone with a second factor, asks for that first",
    body: loginForm,
    reply: z.union([
      signedIn,
      z.object({
        secondFactors: z.array(z.enum(secondFactors)),
        /** Hosts that the person's other passkeys were made for. They don't work here. */
        passkeysElsewhere: z.array(z.string()).optional(),
      }),
    ]),
  }),
  register: endpoint({
    method: "POST",
    path: "/api/auth/register",
    access: "public",
    summary: "Create an account, and sign in if that is allowed",
    body: registerBody,
    // Open registration answers the same whether or not the address is known, so it cannot sign anyone in.
    reply: z.object({ user: signedIn.nullable(), message: z.string() }),
  }),
  logout: endpoint({
    method: "POST",
    path: "/api/auth/logout",
    access: "public",
    summary: "End this session",
    reply: z.object({ message: z.string() }),
  }),
};
