import type { imports } from "#contract/calls/imports.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { checkHandGroups } from "#server/features/groups/memberships.ts";
import { guessChoices } from "#server/features/imports/guess.ts";
import { findImport, headersOf, type StagedImport, writeCells } from "#server/features/imports/staged.ts";

/** Changes how a file is read. Another sheet or another row of names begins anew. */
export async function changeImport(
  db: Db,
  id: number,
  change: BodyOf<typeof imports.change>,
  userId: number,
): Promise<StagedImport> {
  return transaction(db, async (tx) => {
    const staged = await findUnbegun(tx, id, userId);
    const {
      sheet = staged.choices.sheet,
      headerLine,
      mapping,
      statuses,
      property,
      decisions,
      options,
    } = change;
    const found = staged.sheets[sheet];
    if (!found || found.trouble || found.rows === 0)
      throw refusal("import-not-ready", { sentence: "Choose a sheet that can be imported" });
    const anew = sheet !== staged.choices.sheet || headerLine !== undefined;
    const choices = anew
      ? {
          ...staged.choices,
          ...(await guessChoices(tx, { id, name: staged.name, sheet, sheetName: found.name }, headerLine)),
        }
      : staged.choices;
    if (mapping) {
      const { length } = await headersOf(tx, { ...staged, choices });
      choices.mapping = Array.from({ length }, (_, place) => mapping[place] ?? null);
    }
    if (statuses) choices.statuses = { ...choices.statuses, ...statuses };
    if (property !== undefined) Object.assign(choices, { property, propertyLine: null });
    if (decisions) {
      const all = { ...choices.decisions, ...decisions };
      choices.decisions = Object.fromEntries(Object.entries(all).filter(([, decision]) => decision !== ""));
    }
    if (options) {
      await checkHandGroups(tx, options.groupIds ?? []);
      choices.options = { ...choices.options, ...options };
    }
    await tx
      .updateTable("imports")
      .set({ choices: JSON.stringify(choices) })
      .where("id", "=", id)
      .execute();
    return { ...staged, choices };
  });
}

/** A file whose import has not begun, locked. Throws not-found and conflict. */
export async function findUnbegun(tx: Db, id: number, userId: number): Promise<StagedImport> {
  const staged = await findImport(tx, id, userId, true);
  if (staged.progress) throw refusal("import-begun");
  return staged;
}

/** Writes other texts into cells. Answers how many there were. */
export async function fixCells(
  db: Db,
  id: number,
  cells: BodyOf<typeof imports.fix>["cells"],
  userId: number,
): Promise<number> {
  return transaction(db, async (tx) => {
    const { choices } = await findUnbegun(tx, id, userId);
    return writeCells(tx, { id, sheet: choices.sheet }, cells);
  });
}
