import type { Page } from "@playwright/test";
import type { Account } from "./system.ts";

/** Fills in the sign-in form and submits it. */
export async function signIn(page: Page, { username, password }: Account): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
}
