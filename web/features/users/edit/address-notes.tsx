import type { ReactNode } from "react";
import { useWatch } from "react-hook-form";
import { people } from "#contract/text/count-text.ts";
import { type AddressNote, users } from "#contract/calls/users.ts";
import { listText } from "#contract/text/locale.ts";
import { useRead } from "#web/api/use-read.ts";
import type { SectionProps } from "#web/features/users/edit/user-fields.tsx";
import { useDebounced } from "#web/ui/browser/use-debounced.ts";

/** What to know about the addresses in the form: that they were opted out of, and who else has them. */
export function useAddressNotes({ form, stored }: SectionProps): { email: ReactNode; phone: ReactNode } {
  const [email, phone] = useWatch({ control: form.control, name: ["email", "phone"] });
  const asked = useDebounced({ email: email.trim(), phone: phone.trim() }, 400);
  const query = {
    ...(/@./.test(asked.email) && { email: asked.email }),
    ...(/\d{7}/.test(asked.phone.replaceAll(/\D/g, "")) && { phone: asked.phone }),
    ...(stored && { exceptId: stored.id }),
  };
  const read = useRead(users.addresses, { query }, { enabled: "email" in query || "phone" in query });
  const note = read.data;
  return {
    email: note?.email && noteText(note.email, "email address", "emails"),
    phone: note?.phone && noteText(note.phone, "phone number", "text messages"),
  };
}

function noteText(
  { optedOut, people: others, peopleTotal }: AddressNote,
  noun: string,
  what: string,
): ReactNode {
  if (optedOut === null && peopleTotal === 0) return undefined;
  const more = peopleTotal - others.length;
  const names = [...others.map(({ name }) => name), ...(more > 0 ? [`${people(more)} more`] : [])];
  const list = listText(names);
  return (
    <span className="text-warn">
      {optedOut !== null && `We send no ${what} to this ${noun}. ${optedOut} `}
      {peopleTotal > 0 && `${list} ${peopleTotal === 1 ? "has" : "have"} this ${noun} too.`}
    </span>
  );
}
