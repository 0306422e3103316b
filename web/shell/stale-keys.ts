import type { QueryKey } from "@tanstack/react-query";
import { audience } from "#contract/calls/audience.ts";
import { dashboard } from "#contract/calls/dashboard.ts";
import { deliveries } from "#contract/calls/deliveries.ts";
import { details } from "#contract/calls/details.ts";
import { groups } from "#contract/calls/groups.ts";
import { integrations } from "#contract/calls/integrations.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { places } from "#contract/calls/places.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { settings } from "#contract/calls/settings.ts";
import { shell, type ServerEvent } from "#contract/calls/shell.ts";
import { suppressions } from "#contract/calls/suppressions.ts";
import { templates } from "#contract/calls/templates.ts";
import { users } from "#contract/calls/users.ts";
import { readKey } from "#web/api/use-read.ts";

/** These show or count the outcome of each run, scheduled ones too; templates show when they were last used. */
const runsOfSchedules = [
  schedules.list,
  schedules.today,
  schedules.calendar,
  schedules.upcoming,
  schedules.history,
  schedules.missed,
  schedules.attention,
  schedules.outgoing,
  schedules.residents,
  templates.list,
  dashboard.read,
].map((endpoint) => readKey(endpoint));

/** The queries that an event makes stale. `showProgress` inserts the figures that come with the event. */
export function staleKeys(event: ServerEvent): QueryKey[] {
  const { list, recent, detail } = notifications;
  switch (event.type) {
    case "run": {
      const ofIt = { params: { id: event.notificationId } };
      const messages = [
        readKey(deliveries.list, ofIt),
        readKey(deliveries.retryPreview, ofIt),
        readKey(deliveries.timeline),
        readKey(users.deliveries),
        readKey(places.notices),
      ];
      const { progress } = event;
      // Its outcome is final. Until now, its schedule has shown it as being sent.
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
        readKey(places.notices),
        readKey(shell.state),
        ...runsOfSchedules,
      ];
    case "schedules":
      return [
        ...runsOfSchedules,
        readKey(schedules.read),
        readKey(schedules.people),
        readKey(schedules.preview),
        readKey(list),
        readKey(recent),
        readKey(detail),
        readKey(shell.state),
      ];
    case "templates":
      // What a schedule sends at its next run is its template's current text, and so is what a preview shows.
      return [
        templates.list,
        templates.read,
        templates.versions,
        templates.uses,
        schedules.list,
        schedules.read,
        schedules.outgoing,
        audience.preview,
      ].map((endpoint) => readKey(endpoint));
    case "providers":
      return [readKey(shell.state), readKey(integrations.list), readKey(audience.reach)];
    case "settings":
      return [
        shell.state,
        details.list,
        settings.list,
        settings.value,
        deliveries.retryPreview,
        audience.today,
        audience.reach,
        audience.preview,
      ].map((endpoint) => readKey(endpoint));
    case "people":
      // Rules and audiences follow people, too.
      return [
        users.list,
        users.detail,
        users.properties,
        places.list,
        places.property,
        places.unreached,
        places.home,
        places.ofPerson,
        groups.list,
        groups.detail,
        groups.members,
        suppressions.list,
        // They say when a missing address has been added.
        deliveries.list,
        deliveries.retryPreview,
        deliveries.timeline,
        audience.reach,
        audience.planned,
        schedules.people,
        // Their dates make runs.
        schedules.residents,
        schedules.preview,
      ].map((endpoint) => readKey(endpoint));
    case "reconnected":
      return [[]];
    default:
      return event satisfies never;
  }
}

/** What an event makes stale that counts everyone, and need not follow an import step by step. */
export const slowKeys = ({ type }: ServerEvent): QueryKey[] =>
  type === "people" ? [readKey(dashboard.read), readKey(places.totals)] : [];
