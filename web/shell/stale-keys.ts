import type { QueryKey } from "@tanstack/react-query";
import { audience } from "#contract/audience.ts";
import { deliveries } from "#contract/deliveries.ts";
import { integrations } from "#contract/integrations.ts";
import { notifications } from "#contract/notifications.ts";
import { schedules } from "#contract/schedules.ts";
import { settings } from "#contract/settings.ts";
import { shell } from "#contract/shell.ts";
import { templates } from "#contract/templates.ts";
import { users } from "#contract/users.ts";
import type { PageEvent } from "#web/api/events.ts";
import { readKey } from "#web/api/use-read.ts";

/** They show each run with what became of it, and scheduled notifications among them; templates, when it was. */
const runsOfSchedules = [
  schedules.list,
  schedules.today,
  schedules.calendar,
  schedules.upcoming,
  schedules.history,
  schedules.attention,
  templates.list,
].map((endpoint) => readKey(endpoint));

/** The reads that an event makes old. The figures of a run that come with it, `showProgress` puts in their place. */
export function staleKeys(event: PageEvent): QueryKey[] {
  const { list, recent, detail } = notifications;
  switch (event.type) {
    case "run": {
      const ofIt = { params: { id: event.notificationId } };
      const messages = [
        readKey(deliveries.list, ofIt),
        readKey(deliveries.timeline),
        readKey(users.deliveries),
      ];
      const { progress } = event;
      // What became of it is settled; until then its schedule shows it as on its way.
      if (progress?.finishedAt) return [...messages, ...runsOfSchedules];
      return progress
        ? messages
        : [...messages, ...runsOfSchedules, readKey(list), readKey(recent), readKey(detail, ofIt)];
    }
    case "notifications":
      return [
        readKey(list),
        readKey(recent),
        readKey(detail),
        readKey(audience.planned),
        readKey(audience.reach),
        readKey(users.deliveries),
        readKey(shell.state),
        ...runsOfSchedules,
      ];
    case "schedules":
      return [
        ...runsOfSchedules,
        readKey(schedules.read),
        readKey(schedules.people),
        readKey(list),
        readKey(recent),
        readKey(detail),
        readKey(shell.state),
      ];
    case "providers":
      return [readKey(shell.state), readKey(integrations.list)];
    case "settings":
      return [shell.state, settings.list, settings.value, audience.today, audience.reach].map((endpoint) =>
        readKey(endpoint),
      );
    case "reconnected":
      return [[]];
    default:
      return event satisfies never;
  }
}
