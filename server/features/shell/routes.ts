import { api } from "#contract/api.ts";
import { channels } from "#contract/delivery.ts";
import { channelSwitch } from "#contract/calls/settings.ts";
import { may } from "#contract/permissions.ts";
import { dateFormOf } from "#contract/text/home-dates.ts";
import { numberFormOf } from "#contract/text/currencies.ts";
import { readDetails } from "#server/audience/details.ts";
import type { Db } from "#server/db/database.ts";
import { accountStates, channelWorks } from "#server/delivery/accounts/accounts.ts";
import { readHomeCountry } from "#server/features/people/home-country.ts";
import { phoneFormatOf } from "#server/features/people/phone-format.ts";
import { readSettings } from "#server/features/settings/queries.ts";
import { isForwarded } from "#server/http/forwarded.ts";
import {
  hasSample,
  markFailuresSeen,
  readUnconfirmed,
  readUnseenFailures,
} from "#server/features/shell/queries.ts";
import { mayCall } from "#server/http/authorize.ts";
import type { EventHub } from "#server/http/events.ts";
import { on, type Route } from "#server/http/route.ts";
import { type Cookie, principalOfSession } from "#server/http/session.ts";

type ShellDeps = { db: Db; cookie: Cookie; events: EventHub; trustProxy: number | false };

export function shellRoutes({ db, cookie, events, trustProxy }: ShellDeps): Route[] {
  return [
    on(api.shell.state, async ({ user, by: { session }, request }) => {
      const settings = await readSettings(db);
      const country = await readHomeCountry(db);
      const inConsole = may(session, "console");
      const [{ email, phone, mayText }, unseenFailures, states, sampleLoaded, details] = await Promise.all([
        readUnconfirmed(db, user.id),
        inConsole ? readUnseenFailures(db, user.id) : null,
        inConsole ? accountStates(db) : [],
        inConsole && hasSample(db),
        inConsole ? readDetails(db) : [],
      ]);
      return {
        siteName: settings.siteName,
        timeZone: settings.timezone,
        phones: phoneFormatOf(country),
        dates: dateFormOf(country),
        numbers: numberFormOf(country),
        details,
        channels: channels.filter((channel) => settings[channelSwitch[channel]]),
        providers: states,
        unconfirmedEmail: email,
        unconfirmedPhone:
          phone === null ? null : { phone, canText: mayText && (await channelWorks(db, "sms")) },
        // Only for an administrator's own request: a stranger could send the header to raise a false alarm.
        proxyNotTrusted: may(session, "settings:write") && trustProxy === false && isForwarded(request),
        sampleLoaded,
        unseenFailures,
      };
    }),

    on(api.shell.seen, async ({ user, body }) => {
      await markFailuresSeen(db, user.id, body);
      return readUnseenFailures(db, user.id);
    }),

    on(api.shell.events, async ({ request, reply, query }) => {
      const token = cookie.read(request) ?? "";
      const allowed = async () => mayCall(api.shell.events.access, await principalOfSession(db, token));
      events.subscribe(reply, { session: token, allowed, since: query.since });
    }),
  ];
}
