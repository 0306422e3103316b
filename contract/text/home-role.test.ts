import { expect, test } from "vitest";
import { homeRoleIn } from "#contract/text/home-role.ts";

test.each([
  [
    "leaseholder",
    "Leaseholder|Lease Holder|Tenant|Co-Tenant|Primary|Primary Resident|Head of Household|HOH|Self|Responsible|Lessee|Mieter",
  ],
  [
    "occupant",
    "Occupant|Other occupant|Minor Occupant|Roommate|Spouse|Child|Daughter|Dependent|Non-responsible|Live-in aide",
  ],
  ["owner", "Owner|Unit Owner|Eigentümerin"],
  ["guarantor", "Guarantor|Co-signer|Cosigner|Bürge"],
  ["contact", "Contact|Emergency Contact|Next of kin"],
  [null, "|Friend|Current|Yes|4B|Not responsible for rent"],
] as const)("%s: %s", (role, words) => {
  for (const word of words.split("|")) expect([word, homeRoleIn(word)]).toEqual([word, role]);
});
