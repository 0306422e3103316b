import { refusal } from "#contract/refusals/refusal.ts";
import { emailsIn } from "#contract/text/contact-text.ts";
import type { Db } from "#server/db/database.ts";
import { otherContacts, readPhones } from "#server/features/people/contacts.ts";
import { readHomeCountry } from "#server/features/people/home-country.ts";
import type { StoredPerson } from "#server/features/people/stored-person.ts";

type Contacts = Pick<StoredPerson, "email" | "phone" | "otherContacts">;
/** As the contract has parsed them. What is undefined stays; an empty phone removes it. */
type Fields = { email: string; phone?: string | undefined; otherContacts?: string | undefined };

/**
 * A person's address, number and other contacts after a form was saved. A person without an address may stay without
 * one, but an existing one is not removed. Throws invalid-input at `email` and `phone`.
 */
export async function contactsOf(db: Db, before: Contacts | null, fields: Fields): Promise<Contacts> {
  const country = await readHomeCountry(db);
  const found = fields.email === "" ? null : emailsIn(fields.email);
  if (!found && before?.email !== null) throw refusal("email-not-valid");
  const email = found?.email ?? null;
  const numbers = fields.phone ? readPhones(fields.phone, country) : { phone: null, others: [] };
  if ("reason" in numbers) throw refusal("phone-not-valid", { sentence: numbers.reason });
  const phone = fields.phone === undefined ? (before?.phone ?? null) : numbers.phone;
  const others = [fields.otherContacts ?? before?.otherContacts ?? "", found?.others ?? [], numbers.others];
  return { email, phone, otherContacts: otherContacts(others, country, [email, phone]) };
}
