import { places } from "#contract/calls/places.ts";
import { users } from "#contract/calls/users.ts";
import { counted } from "#contract/text/count-text.ts";
import { fold } from "#contract/text/fold.ts";
import { call, callList } from "#web/api/client.ts";
import { personName } from "#web/domain/avatar.tsx";
import { homeName, whereText } from "#web/features/places/home-text.ts";

/** Properties for a picker, without this one. */
export const searchProperties = (without?: number) => async (q: string, signal: AbortSignal) => {
  const query = q === "" ? {} : { q };
  const { rows, total } = await callList(places.list, { query }, { signal });
  return {
    total,
    options: rows
      .filter(({ id }) => id !== without)
      .map(({ id, name, homes }) => ({ key: String(id), label: name, detail: counted(homes, "home") })),
  };
};

const MOST = 50;

/** The homes of a property for a picker. */
export const searchHomes =
  (propertyId: number | undefined, without: number) => async (q: string, signal: AbortSignal) => {
    if (propertyId === undefined) return { total: 0, options: [] };
    const { homesListed } = await call(places.property, { params: { id: propertyId } }, { signal });
    const found = homesListed.filter(({ id, name }) => id !== without && fold(name).includes(fold(q)));
    return {
      total: found.length,
      options: found
        .slice(0, MOST)
        .map((home) => ({ key: String(home.id), label: homeName(home.name), detail: whereText(home) })),
    };
  };

/** People for a picker. */
export async function searchPeople(q: string, signal: AbortSignal) {
  const { rows, total } = await callList(users.list, { query: { q, bestFirst: true } }, { signal });
  return {
    total,
    options: rows.map((person) => ({
      key: String(person.id),
      label: personName(person),
      detail: person.propertyUnit ?? person.email ?? person.username,
    })),
  };
}
