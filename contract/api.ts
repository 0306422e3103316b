import { attachments } from "#contract/attachments.ts";
import { audit } from "#contract/audit.ts";
import { audience } from "#contract/audience.ts";
import { auth, confirmation } from "#contract/auth.ts";
import { csv } from "#contract/csv.ts";
import { dashboard } from "#contract/dashboard.ts";
import { deliveries } from "#contract/deliveries.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { groups } from "#contract/groups.ts";
import { notifications } from "#contract/notifications.ts";
import { passwordLink, profileCalls } from "#contract/profile.ts";
import { reports } from "#contract/reports.ts";
import { schedules } from "#contract/schedules.ts";
import { settings } from "#contract/settings.ts";
import { integrations } from "#contract/integrations.ts";
import { shell } from "#contract/shell.ts";
import { suppressions } from "#contract/suppressions.ts";
import { templates } from "#contract/templates.ts";
import { sample } from "#contract/sample.ts";
import { secondStep, twoFactor } from "#contract/two-factor.ts";
import { users } from "#contract/users.ts";

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
  csv,
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
