import { expect } from "@playwright/test";
import { passwordLink } from "#contract/calls/profile.ts";
import { users } from "#contract/calls/users.ts";
import { caller, request, type Caller } from "./caller.ts";
import { moveIn, type Tenant } from "./people.ts";
import type { StaffedSystem } from "./system.ts";

export const newPassword = "kettle-on-the-sill";

export type Newcomer = Tenant & {
  username: string;
  /** The Cookie header of their session. */
  cookie: string;
  /** Calls the API as this person. */
  call: Caller;
};

/** Sends someone a one-time link and returns the URL from the email they receive. */
export async function sendPasswordLink(
  system: StaffedSystem,
  { id, email }: Pick<Tenant, "id" | "email">,
): Promise<string> {
  await system.call(users.sendCredentials, { body: { userId: id, channels: ["email"] } });
  await expect.poll(() => system.mail.to(email)).toHaveLength(1);
  const text = system.mail.to(email)[0]?.text ?? "";
  const link = /http\S+\/set-password\/[\w-]+/.exec(text)?.[0];
  if (!link) throw new Error(`No link in: ${text}`);
  return link;
}

/** A new tenant, for this test only, who has signed in with a one-time link. */
export async function newcomer(system: StaffedSystem): Promise<Newcomer> {
  const [tenant] = (await moveIn(system.call, [{}])).tenants;
  if (!tenant) throw new Error("No tenant was created");
  const link = await sendPasswordLink(system, tenant);
  const response = await request(system.server.url, passwordLink.use, {
    params: { token: link.split("/").at(-1) ?? "" },
    body: { password: newPassword },
  });
  const { user } = (await response.json()) as { user: { username: string } };
  const cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  return { ...tenant, username: user.username, cookie, call: caller(system.server.url, cookie) };
}
