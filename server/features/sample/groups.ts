import type { GroupRule } from "#contract/calls/groups.ts";
import type { PropertyName } from "#server/features/sample/people.ts";

/** Who gets a message: a group by name, or the first tenant with such a mailbox. */
export type SampleAudience = "All Tenants" | PropertyName | SampleGroupName | { mailbox: string };

const groundFloor: GroupRule = { roles: ["tenant"], property: "Maple Court", floors: [1] };

export const sampleGroups = [
  {
    name: "Property Team",
    description: "Managers, leasing and maintenance",
    rule: null,
    picks: (_k: number, role: string) => role === "staff",
  },
  {
    name: "Floor Captains",
    description: "Tenants who help in an emergency",
    rule: null,
    picks: (k: number, role: string) => role === "tenant" && k % 31 === 3,
  },
  {
    name: "Pet Owners",
    description: "Registered at the leasing office",
    rule: null,
    picks: (k: number, role: string) => role === "tenant" && k % 8 === 2,
  },
  {
    name: "Parking Permit Holders",
    description: "Garage and courtyard",
    rule: null,
    picks: (k: number, role: string) => role === "tenant" && k < PERMITS && k % 3 === 1,
  },
  {
    name: "Ground Floor, Maple Court",
    description: "First-floor apartments, for water and pest control",
    rule: groundFloor,
    picks: () => false,
  },
] as const;
type SampleGroupName = (typeof sampleGroups)[number]["name"];

/** So many that 832 messages were sent in the last 30 days. */
const PERMITS = 80;
