import { attachments } from "#contract/calls/attachments.ts";
import { audit } from "#contract/calls/audit.ts";
import { audience } from "#contract/calls/audience.ts";
import { auth, confirmation } from "#contract/calls/auth.ts";
import { csv } from "#contract/calls/csv.ts";
import { dashboard } from "#contract/calls/dashboard.ts";
import { details } from "#contract/calls/details.ts";
import { deliveries } from "#contract/calls/deliveries.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { groups } from "#contract/calls/groups.ts";
import { importResults } from "#contract/calls/import-results.ts";
import { imports } from "#contract/calls/imports.ts";
import { values } from "#contract/calls/values.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { places } from "#contract/calls/places.ts";
import { passwordLink, profileCalls } from "#contract/calls/profile.ts";
import { reports } from "#contract/calls/reports.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { settings } from "#contract/calls/settings.ts";
import { integrations } from "#contract/calls/integrations.ts";
import { shell } from "#contract/calls/shell.ts";
import { suppressions } from "#contract/calls/suppressions.ts";
import { templates } from "#contract/calls/templates.ts";
import { sample } from "#contract/calls/sample.ts";
import { secondStep, twoFactor } from "#contract/calls/two-factor.ts";
import { users } from "#contract/calls/users.ts";

/** Every API call, for the browser and for other callers. */
export const api = {
  auth,
  integrations,
  shell,
  dashboard,
  notifications,
  reports,
  deliveries,
  audience,
  attachments,
  templates,
  schedules,
  users,
  groups,
  details,
  places,
  csv,
  importResults,
  imports,
  values,
  settings,
  audit,
  suppressions,
  profile: profileCalls,
  passwordLink,
  confirmation,
  secondStep,
  twoFactor,
  sample,
} satisfies Record<string, Record<string, Endpoint>>;

export const endpoints: Endpoint[] = Object.values(api).flatMap(
  (family) => Object.values(family) as Endpoint[],
);
