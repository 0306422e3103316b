import type { Locator, Page } from "@playwright/test";
import type { Account } from "./system.ts";

/** Fills in the sign-in form and submits it. */
export const signIn = (page: Page, account: Account): Promise<void> =>
  signInAt(page.locator("body"), account);

/** The same where the form is in a dialog. */
export async function signInAt(place: Locator, { username, password }: Account): Promise<void> {
  await place.getByLabel("Username").fill(username);
  await place.getByLabel("Password", { exact: true }).fill(password);
  await place.getByRole("button", { name: "Sign In", exact: true }).click();
}
