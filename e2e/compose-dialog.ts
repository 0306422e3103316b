import { expect, type Locator, type Page } from "@playwright/test";

type Channel = "Email" | "SMS" | "Web Push";
type Choice =
  | "Template"
  | "Custom message"
  | "Groups"
  | "Individuals"
  | "Homes"
  | "Stacks"
  | "Send immediately"
  | "Schedule for later"
  | "Recurring";

/** "Create New Notification" as a person sees it. */
export class ComposeDialog {
  readonly page: Page;
  readonly root: Locator;

  constructor(page: Page) {
    this.page = page;
    this.root = page.getByRole("dialog", { name: "Create New Notification" });
  }

  async open(): Promise<this> {
    await this.page.getByRole("button", { name: "New Notification" }).first().click();
    await expect(this.title).toBeFocused();
    return this;
  }

  get title(): Locator {
    return this.root.getByLabel("Title");
  }

  get message(): Locator {
    return this.root.getByRole("textbox", { name: "Message" });
  }

  get recipients(): Locator {
    return this.root.getByRole("combobox", { name: "Recipients" });
  }

  get send(): Locator {
    return this.root.getByRole("button", { name: "Send Notification" });
  }

  get schedule(): Locator {
    return this.root.getByRole("button", { name: "Schedule Notification" });
  }

  /** Selects one of several options shown side by side. */
  async choose(choice: Choice): Promise<void> {
    await this.root.locator("label", { hasText: new RegExp(`^${choice}$`) }).click();
    await expect(this.root.getByRole("radio", { name: choice })).toBeChecked();
  }

  /** Searches for a template by name and selects it. */
  async template(name: string): Promise<void> {
    await this.root.getByRole("combobox", { name: "Message" }).fill(name);
    await this.root.getByRole("option", { name }).click();
    await expect(this.root.getByRole("combobox", { name: "Message" })).toHaveValue(name);
  }

  /** Searches for a group or person and selects the one with exactly this name. */
  async addRecipient(name: string): Promise<void> {
    await this.recipients.fill(name);
    await this.root
      .getByRole("option")
      .filter({ has: this.page.getByText(name, { exact: true }) })
      .click();
    await expect(this.root.getByRole("button", { name: `Remove ${name}` })).toBeVisible();
    await expect(this.root.getByRole("listbox")).toBeHidden();
  }

  /** Waits for the number of recipients. Without it, sending asks for confirmation. */
  async counted(sentence: string): Promise<void> {
    await expect(this.root).toContainText(sentence);
  }

  channel(channel: Channel): Locator {
    return this.root.getByRole("checkbox", { name: channel });
  }

  async attach(...files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
    await this.root.locator('input[aria-label="Attachments"]').setInputFiles(files);
  }

  /** Fills in what every notification needs. */
  async write(given: {
    title: string;
    message: string;
    recipients: string[];
    channels: Channel[];
  }): Promise<void> {
    await this.title.fill(given.title);
    await this.message.fill(given.message);
    for (const recipient of given.recipients) await this.addRecipient(recipient);
    for (const channel of given.channels) await this.channel(channel).check();
  }
}
