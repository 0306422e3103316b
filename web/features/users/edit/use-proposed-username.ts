import { useEffect, useRef } from "react";
import { useWatch } from "react-hook-form";
import { users } from "#contract/calls/users.ts";
import { useRead } from "#web/api/use-read.ts";
import type { SectionProps } from "#web/features/users/edit/user-fields.tsx";
import { useDebounced } from "#web/ui/browser/use-debounced.ts";

/** A new person's username follows their name until someone types one. */
export function useProposedUsername({ form, stored }: SectionProps): void {
  const [firstName, lastName] = useWatch({ control: form.control, name: ["firstName", "lastName"] });
  const query = useDebounced({ firstName: firstName.trim(), lastName: lastName.trim() }, 300);
  const named = query.firstName !== "" && query.lastName !== "";
  const { data } = useRead(users.proposeUsername, { query }, { enabled: !stored && named, fresh: true });
  const proposed = useRef("");
  const username = data?.username;
  useEffect(() => {
    if (username === undefined) return;
    // Whoever saved before the proposal came was told that there is none.
    if (form.getValues("username") === proposed.current)
      form.setValue("username", username, { shouldValidate: form.formState.isSubmitted });
    proposed.current = username;
  }, [username, form]);
}
