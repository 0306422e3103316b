import { shell } from "#contract/calls/shell.ts";
import { type Detail, personDetails } from "#contract/text/kept-details.ts";
import { useRead } from "#web/api/use-read.ts";

/** What is kept of people, for what may be on screen before that is known, such as a person whose link someone opens. */
export const usePersonDetails = (): readonly Detail[] =>
  useRead(shell.state).data?.details ?? personDetails();
