import { details } from "#contract/calls/details.ts";
import { shell } from "#contract/calls/shell.ts";
import { templates } from "#contract/calls/templates.ts";
import { users } from "#contract/calls/users.ts";
import type { DetailKind } from "#contract/text/kept-details.ts";

export const kindLabels: Record<DetailKind, string> = {
  text: "Text",
  number: "Number",
  amount: "Amount of money",
  date: "Date",
};

/** What a change of the details makes stale. */
export const refreshes = [details.list, shell.state, users.detail, templates.list, templates.read];
