import { isCompany } from "#contract/text/company.ts";
import { isolated } from "#contract/text/isolate.ts";
import { splitPropertyUnit } from "#contract/text/property-unit.ts";
import { REASON, type FieldValues } from "./compiled.ts";
import { oneLine } from "./writing.ts";

/** What a message is, beside its text. Only the first is written by people. */
export type MessageKind = "message" | "credentials" | "test" | "notice" | "confirmation";

/** Why someone gets an email of this kind, as far as it is the same for everyone. */
export function reasonOf(kind: MessageKind | undefined, siteName: string): string {
  const site = isolated(oneLine(siteName));
  if (kind === "notice") return `You get this because you have an account at ${site}.`;
  if (kind === "confirmation") return `You get this because someone entered this address at ${site}.`;
  return `You get this because ${site} has this address on file.`;
}

/** Why this person gets an email: the home on file, if there is one. Companies don't live anywhere. */
export function ownReason({ name, home }: { name: string; home: string | null }): FieldValues {
  const written = oneLine(home ?? "");
  if (written === "" || isCompany(name)) return {};
  const { property, unit } = splitPropertyUnit(written);
  const where = property === null && unit !== null ? `unit ${isolated(unit)}` : isolated(written);
  return { [REASON]: `You get this because you live at ${where}.` };
}
