import { isolated } from "#contract/text/isolate.ts";
import type { FastifyRequest } from "fastify";
import { AppError } from "#contract/errors.ts";
import { settings } from "#contract/calls/settings.ts";
import { preferenceField, type SavedUser, users } from "#contract/calls/users.ts";
import { linkChannels } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import { deliveriesTo } from "#server/activity/deliveries.ts";
import { sendCredentials } from "#server/features/credentials/send-credentials.ts";
import { listReadAnew } from "#server/features/people/read-anew.ts";
import { noteAddresses } from "#server/features/users/addresses.ts";
import { readPerson } from "#server/features/users/detail.ts";
import { generateUsernames } from "#server/features/people/generate-usernames.ts";
import { listProperties, listUsers } from "#server/features/people/queries.ts";
import { removePerson } from "#server/features/users/remove-person.ts";
import { createPerson, updatePerson } from "#server/features/users/save-person.ts";
import { refuseUnknown } from "#server/features/people/stored-person.ts";
import { type By, on, type Route } from "#server/http/route.ts";

export function usersRoutes({ db }: { db: Db }): Route[] {
  /** The person is saved by now, so whatever keeps the link from being sent is reported without undoing that. */
  async function saved(
    id: number,
    asked: boolean | undefined,
    { by, log }: { by: By; log: FastifyRequest["log"] },
  ): Promise<SavedUser> {
    const person = await readPerson(db, id);
    if (!asked) return { ...person, credentials: null };
    const channels = linkChannels.filter((channel) => person[preferenceField[channel]]);
    if (channels.length === 0) {
      const message = "No link was sent: email and text messages are both turned off for this person.";
      return { ...person, credentials: { sent: false, waits: false, message } };
    }
    try {
      const { sent, waits, message } = await sendCredentials(db, { userId: id, channels }, by);
      return { ...person, credentials: { sent, waits, message } };
    } catch (error) {
      if (error instanceof AppError)
        return { ...person, credentials: { sent: false, waits: false, message: error.message } };
      log.error({ err: error }, "credentials were not sent");
      const message = "We couldn't send the link because of a server error. Try again later.";
      return { ...person, credentials: { sent: false, waits: false, message } };
    }
  }

  return [
    on(settings.country, async ({ query }) => listReadAnew(db, query)),

    on(users.addresses, async ({ query }) => noteAddresses(db, query)),
    on(users.proposeUsername, async ({ query }) => {
      const [username = ""] = await generateUsernames(db, [{ ...query, email: null }], []);
      return { username };
    }),
    on(users.list, async ({ query }) => listUsers(db, query)),
    on(users.detail, async ({ params: { id } }) => readPerson(db, id)),
    // What was sent to someone stays on record after they are deleted.
    on(users.deliveries, async ({ params: { id }, query }) => {
      await refuseUnknown(db, id);
      return deliveriesTo(db, id, query);
    }),

    on(users.create, async ({ body, by, request }) => {
      const id = await createPerson(db, body, by);
      return saved(id, body.sendCredentials, { by, log: request.log });
    }),

    on(users.update, async ({ params: { id }, body, by, request }) => {
      await updatePerson(db, id, body, by);
      return saved(id, body.sendCredentials, { by, log: request.log });
    }),

    on(users.remove, async ({ params: { id }, query: { detach }, by }) => {
      const name = await removePerson(db, id, { detach, by });
      return { message: `${isolated(name)} was deleted.` };
    }),

    on(users.properties, async ({ query }) => listProperties(db, query)),
  ];
}
