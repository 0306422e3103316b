import * as z from "zod";
import { currentUser, linkToken, newPassword, signedIn, withConfirmation } from "#contract/calls/auth.ts";
import { channels } from "#contract/delivery.ts";
import { renderedMessage } from "#contract/calls/deliveries.ts";
import { endpoint } from "#contract/endpoint.ts";
import { idParams, instant, line, page } from "#contract/fields.ts";
import { consentChange, emailOrNone, perPreference, personFields, phoneText } from "#contract/calls/users.ts";

/** Everyone's own: what the signed-in person sees and changes of themselves, and no one else's. */

const profile = currentUser.extend({
  phone: z.string().nullable(),
  propertyUnit: z.string().nullable(),
  ...perPreference(() => z.boolean()),
  passwordChangedAt: instant.nullable(),
  /** What a new password must have. */
  passwordHint: z.string(),
  consents: z.array(consentChange),
  /** "2025-03": what was sent to you up to then may be archived; null: none of it is. */
  archivedThrough: z.string().nullable(),
  updatedAt: instant,
});
export type Profile = z.output<typeof profile>;

export const currentPassword = z
  .string({ error: "Enter your current password" })
  .min(1, "Enter your current password")
  .max(1024);

export const profileForm = z.object({
  firstName: personFields.firstName,
  lastName: personFields.lastName,
  email: emailOrNone,
  /** Empty: none. Left out, it stays. */
  phone: phoneText.optional(),
  /** Needed to change the email address or the phone number. */
  currentPassword: currentPassword.optional(),
  /** As the form was filled with: refused if someone changed the person since. */
  updatedAt: instant.optional(),
});

export const passwordForm = withConfirmation(z.object({ currentPassword, password: newPassword }));

/** A browser in which this person is signed in. `id` names it without opening anything. */
const session = z.object({
  id: z.string(),
  current: z.boolean(),
  createdAt: instant,
  lastSeenAt: instant,
  ip: z.string().nullable(),
  /** "Firefox on Windows". */
  device: z.string(),
});

/** A browser in which this person turned notifications on. `endpoint` is its own name for where they go. */
const pushBrowser = z.object({
  id: z.number(),
  endpoint: z.string(),
  /** "Firefox on Windows". */
  name: z.string(),
  createdAt: instant,
});
export type PushBrowser = z.output<typeof pushBrowser>;

/** `publicKey`: what a browser is signed up with; null where push does not go to browsers. */
const pushBrowsers = z.object({ publicKey: z.string().nullable(), browsers: z.array(pushBrowser) });

const noBrowser = "This browser's details are incomplete. Reload the page and try again.";

/** What a browser says of itself once it is signed up (PushSubscription). */
const pushSubscription = z.object({
  endpoint: z.url({ error: noBrowser, protocol: /^https?$/ }).max(1000, noBrowser),
  /** An uncompressed point of P-256, in base64url. */
  p256dh: z.string({ error: noBrowser }).regex(/^B[\w-]{86}$/, noBrowser),
  /** 16 bytes. */
  auth: z.string({ error: noBrowser }).regex(/^[\w-]{22}$/, noBrowser),
});

/** One notice to this person, however many messages it came in. */
export const notice = z.object({
  /** Of the message that says the most. Each of its messages' ids leads to it. */
  id: z.number(),
  title: z.string(),
  at: instant,
  /** They have opened it. */
  read: z.boolean(),
  /** Sent, Delivered, or why not, in a sentence for each channel. */
  ways: z.array(z.object({ channel: z.enum(channels), sentence: z.string() })),
});

/** One of a list, with what it is about. */
const listedNotice = notice.extend({
  /** Its first paragraph on one line, without a greeting, and not all of a long one. */
  begins: z.string(),
  /** How many files it has. */
  files: z.number(),
});

export const profileCalls = {
  read: endpoint({
    method: "GET",
    path: "/api/profile",
    access: "signed-in",
    summary: "Your details and preferences",
    reply: profile,
  }),
  save: endpoint({
    method: "PUT",
    path: "/api/profile",
    access: "signed-in",
    summary: "Change your name, email and phone. A new email or phone needs your current password",
    body: profileForm,
    reply: profile,
  }),
  savePreferences: endpoint({
    method: "PUT",
    path: "/api/profile/preferences",
    access: "signed-in",
    summary: "Turn your channels on and off; those left out stay as they are. Changes are logged",
    body: z.object(perPreference(() => z.boolean().optional())),
    reply: profile,
  }),
  changePassword: endpoint({
    method: "POST",
    path: "/api/profile/password",
    access: "signed-in",
    withExpiredPassword: true,
    summary: "Change your password. Every other session ends, and your calendar link is revoked",
    body: passwordForm,
    reply: z.object({ message: z.string() }),
  }),
  sessions: endpoint({
    method: "GET",
    path: "/api/profile/sessions",
    access: "signed-in",
    summary: "Where you are signed in",
    answer: "list",
    reply: z.array(session),
  }),
  endSession: endpoint({
    method: "DELETE",
    path: "/api/profile/sessions/{id}",
    access: "signed-in",
    summary: "Sign out one session, or with `others` all but this one",
    params: z.object({
      id: z.string().regex(/^(others|[0-9a-f]{1,64})$/, "Use a session id from the list of sessions"),
    }),
    reply: z.object({ ended: z.number() }),
  }),
  pushBrowsers: endpoint({
    method: "GET",
    path: "/api/profile/browsers",
    access: "signed-in",
    summary: "The browsers in which you turned notifications on",
    reply: pushBrowsers,
  }),
  addPushBrowser: endpoint({
    method: "POST",
    path: "/api/profile/browsers",
    access: "signed-in",
    summary: "Turn notifications on in this browser, and push in your preferences",
    body: pushSubscription,
    reply: pushBrowser,
    status: 201,
  }),
  removePushBrowser: endpoint({
    method: "DELETE",
    path: "/api/profile/browsers/{id}",
    access: "signed-in",
    summary: "Turn notifications off in one browser",
    params: idParams,
    reply: z.object({ id: z.number() }),
  }),
  notices: endpoint({
    method: "GET",
    path: "/api/profile/notices",
    access: "signed-in",
    summary: "Notices sent to you, newest first. Without `read`, those you haven't opened come first",
    query: z.object({
      q: line("Search", 200).optional(),
      read: z.enum(["yes", "no"], { error: "Use yes or no" }).optional(),
      ...page,
    }),
    answer: "list",
    reply: z.array(listedNotice),
  }),
  notice: endpoint({
    method: "GET",
    path: "/api/profile/notices/{id}",
    access: "signed-in",
    summary: "One notice as you got it. Reading it this way doesn't mark it as read",
    params: idParams,
    reply: renderedMessage.extend(notice.shape),
  }),
  openNotice: endpoint({
    method: "POST",
    path: "/api/profile/notices/{id}/read",
    access: "signed-in",
    summary: "Mark a notice as read",
    params: idParams,
    reply: z.object({ id: z.number() }),
  }),
  attachment: endpoint({
    method: "GET",
    path: "/api/profile/attachments/{id}",
    access: "signed-in",
    summary: "A file of a message that was sent to you",
    params: idParams,
    answer: "file",
    export: { action: "attachment.download", most: 300 },
    reply: z.instanceof(Uint8Array),
  }),
};

/** The address of the screen that a one-time link opens. */
export const setPasswordPath = (token: string) => `/set-password/${token}`;

const setPasswordBody = z.object({ password: newPassword });

/** The form behind a one-time link. */
export const setPasswordForm = withConfirmation(setPasswordBody);

export const passwordLink = {
  read: endpoint({
    method: "GET",
    path: "/api/auth/password-link/{token}",
    access: "public",
    summary: "Whose link this is, while it is valid. Reading it doesn't use it up",
    params: linkToken,
    reply: z.object({
      siteName: z.string(),
      firstName: z.string(),
      username: z.string(),
      passwordHint: z.string(),
      expiresAt: instant,
    }),
  }),
  use: endpoint({
    method: "POST",
    path: "/api/auth/password-link/{token}",
    access: "public",
    summary:
      "Set the password. The link stops working, all of the person's sessions end, and their calendar link is revoked",
    params: linkToken,
    body: setPasswordBody,
    /** Without a user: they have a second factor, and sign in with it. */
    reply: z.object({ user: signedIn.nullable(), message: z.string() }),
  }),
};
