import { audience } from "#contract/calls/audience.ts";
import { places } from "#contract/calls/places.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { templates } from "#contract/calls/templates.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { moveIn, token } from "./people.ts";
import { expectToast } from "./toast.ts";

/** Longer than any month, so that the date is in another one than the day of its run. */
const DAYS = 45;

test("renewals go out by themselves: some days before each lease ends, in another month, once for each date", async ({
  page,
  system,
}) => {
  const property = await moveIn(system.call, [{}, {}]);
  const [mei, luis] = property.tenants;
  const leaseEnds = async (id: number, date: Temporal.PlainDate) => {
    const { homes } = await system.call(places.ofPerson, { params: { id } });
    await system.call(places.changeResidency, {
      params: { id: homes[0]?.id ?? 0 },
      body: { leaseEnds: date.toString() },
    });
  };
  const name = `Renewal ${token()}`;
  await system.call(templates.create, {
    body: { name, type: "Email", subject: name, content: "Your lease of {{unit}} ends on {{lease_end}}." },
  });
  const { timeZone } = await system.call(audience.today);
  const inDays = (days: number) => Temporal.Now.plainDateISO(timeZone).add({ days });
  const short = (date: Temporal.PlainDate) => date.toLocaleString("en-US", { dateStyle: "medium" });
  await leaseEnds(mei?.id ?? 0, inDays(DAYS + 3));

  await page.goto("/schedules?open=new");
  const editor = page.getByRole("dialog", { name: "Create Schedule" });
  await editor.getByRole("combobox", { name: "Message", exact: true }).fill(name);
  await editor.getByRole("option", { name }).click();
  await editor.locator("label", { hasText: /^Resident's date$/ }).click();
  await editor.getByRole("combobox", { name: "Date", exact: true }).selectOption("Lease end");
  await editor.getByRole("combobox", { name: "When" }).selectOption("Days before");
  const next = editor.getByRole("region", { name: "Whose date is next" });
  await expect(next).toContainText("Choose recipients to see whose date is next.");
  await editor.getByRole("combobox", { name: "Recipients" }).fill(property.name);
  await editor.getByRole("option", { name: `${property.name} Everyone at` }).click();
  await editor.getByRole("textbox", { name: "Days" }).fill("0");
  await editor.getByRole("button", { name: "Create Schedule" }).click();
  await expect(editor.getByText("Enter a number of days from 1 to 365")).toBeVisible();
  await editor.getByRole("textbox", { name: "Days" }).fill(String(DAYS));
  await editor.getByLabel("Start time").fill("00:00");
  await editor.getByLabel("End time").fill("");
  await expect(editor.getByText(`${DAYS} days before the lease ends`)).toBeVisible();
  await expect(next.getByRole("listitem").first()).toContainText(
    `${mei?.firstName} ${mei?.lastName}, ${mei?.propertyUnit} · lease end ${short(inDays(DAYS + 3))}`,
  );
  await expectAccessible(page);
  await editor.getByRole("button", { name: "Create Schedule" }).click();
  await expectToast(page, "Schedule Created");

  const [made] = await system.call(schedules.list, { query: { q: name } });
  const id = made?.id ?? 0;
  const due = inDays(0);
  await page.goto(`/schedules?schedule=${id}`);
  const panel = page.getByRole("dialog", { name });
  await expect(panel).toContainText(`${DAYS} days before the lease ends, 12:00 AM ET`);

  // Entered today, but today's run has been: the open panel says so.
  await leaseEnds(luis?.id ?? 0, due.add({ days: DAYS }));
  const late = panel.getByRole("region", { name: "1 date came on file too late" });
  await expect(late).toContainText(`${luis?.firstName} ${luis?.lastName}`);
  await expectAccessible(page);
  await late.getByRole("button", { name: "Send now" }).click();
  await expectToast(page, "Run Started");
  await expect(late).toBeHidden();
  const written = due.add({ days: DAYS }).toLocaleString("en-US", { dateStyle: "long" });
  await expect
    .poll(() => system.mail.to(luis?.email ?? "").at(-1)?.text)
    .toContain(`Your lease of 2A ends on ${written}.`);

  // Another date counts anew, and its day comes.
  await leaseEnds(mei?.id ?? 0, due.add({ days: DAYS }));
  await system.lookAgainToday(id);
  await expect.poll(() => system.mail.to(mei?.email ?? "").at(-1)?.text).toContain(`ends on ${written}.`);
  await expect(panel).toContainText("No one yet");
  await panel.getByRole("button", { name: "Run now" }).click();
  const running = page.getByRole("alertdialog");
  await expect(running).toContainText("no one's lease end is");
  await expect(running.getByRole("button", { name: "Run now" })).toBeDisabled();
  expect(system.mail.to(luis?.email ?? "").filter(({ text }) => text?.includes(written))).toHaveLength(1);
});
