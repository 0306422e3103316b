import { places } from "#contract/calls/places.ts";
import { isolated } from "#contract/text/isolate.ts";
import type { Db } from "#server/db/database.ts";
import { findPlaces } from "#server/features/places/find-homes.ts";
import { mergeProperties, unmergeProperty } from "#server/features/places/merge.ts";
import {
  changeResidency,
  moveIn,
  moveTo,
  removeResidency,
  undoLastMove,
} from "#server/features/places/move.ts";
import { readHome, readHomesOfPerson } from "#server/features/places/read-home.ts";
import { homeNoticesFile, listHomeNotices } from "#server/features/places/home-notices.ts";
import { listPlaces, readPlace, readPlaceRow, readTotals } from "#server/features/places/read-properties.ts";
import {
  addHomes,
  correctHomes,
  createProperty,
  updateProperty,
} from "#server/features/places/save-property.ts";
import { readUnreached } from "#server/features/places/read-unreached.ts";
import { on, type Route } from "#server/http/route.ts";

export function placesRoutes({ db }: { db: Db }): Route[] {
  return [
    on(places.list, async ({ query }) => listPlaces(db, query)),
    on(places.find, async ({ query }) => findPlaces(db, query)),
    on(places.property, async ({ params: { id } }) => readPlace(db, id)),
    on(places.home, async ({ params: { id } }) => readHome(db, id)),
    on(places.totals, async ({ query }) => readTotals(db, query)),
    on(places.unreached, async ({ params: { id } }) => readUnreached(db, id)),
    on(places.notices, async ({ params: { id }, query }) => listHomeNotices(db, id, query)),
    on(places.noticesFile, async ({ params: { id }, query }) => homeNoticesFile(db, id, query)),
    on(places.ofPerson, async ({ params: { id } }) => readHomesOfPerson(db, id)),

    on(places.create, async ({ body, by }) => readPlaceRow(db, await createProperty(db, body, by))),
    on(places.update, async ({ params: { id }, body, by }) => {
      await updateProperty(db, id, body, by);
      return readPlaceRow(db, id);
    }),
    on(places.merge, async ({ params: { id }, body, by }) => {
      const { from, into } = await mergeProperties(db, id, body.into, by);
      return { message: `${isolated(from)} is part of ${isolated(into)} now.` };
    }),
    on(places.unmerge, async ({ params: { id }, by }) => {
      const { from, into } = await unmergeProperty(db, id, by);
      return { message: `${isolated(from)} and ${isolated(into)} are two properties again.` };
    }),
    on(places.addHomes, async ({ params: { id }, body, by }) => ({
      added: await addHomes(db, id, body.names, by),
    })),
    on(places.correctHomes, async ({ body, by }) => ({ changed: await correctHomes(db, body, by) })),

    on(places.moveIn, async ({ params: { id }, body, by }) => {
      await moveIn(db, id, body, by);
      return readHome(db, id);
    }),
    on(places.changeResidency, async ({ params: { id }, body, by }) =>
      readHome(db, await changeResidency(db, id, body, by)),
    ),
    on(places.move, async ({ params: { id }, body, by }) => readHome(db, await moveTo(db, id, body, by))),
    on(places.removeResidency, async ({ params: { id }, by }) =>
      readHome(db, await removeResidency(db, id, by)),
    ),
    on(places.undoMove, async ({ params: { id }, by }) => {
      await undoLastMove(db, id, by);
      return { message: "The move was undone." };
    }),
  ];
}
