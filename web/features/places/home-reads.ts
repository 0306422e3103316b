import { groups } from "#contract/calls/groups.ts";
import { places } from "#contract/calls/places.ts";
import { users } from "#contract/calls/users.ts";

/** What a move makes stale. */
export const homeReads = [
  places.home,
  places.property,
  places.list,
  places.ofPerson,
  users.detail,
  users.list,
  groups.list,
];
