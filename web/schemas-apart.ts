import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSync, type Plugin } from "vite";

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Import = { node: Node; from: string; names: { exported: string; local: string }[] };
type Declaration = { node: Node; names: string[]; uses: Set<string>; isExported: boolean; isSchema: boolean };
type Module = { code: string; imports: Import[]; declarations: Declaration[] };
type Edit = { start: number; end: number; text: string };

const contract = fileURLToPath(new URL("../contract/", import.meta.url));
const PREFIX = "#contract/";
const SCHEMAS = "?schemas";
/** Sets the sentences of all schemas, so it runs wherever there are some. */
const SENTENCES = `${PREFIX}sentences.ts`;

const fileOf = (source: string) => contract + source.slice(PREFIX.length);

/**
 * Splits each file of the contract in two for the browser: its schemas, and the rest. A screen needs the rest, which has
 * the calls with only their method and path. Schemas are needed by forms, most of which are in dialogs. A module is only
 * ever in one chunk, so otherwise every screen would load zod and make all schemas before it appears.
 */
export function schemasApart(): Plugin {
  return {
    name: "porchlight:schemas-apart",
    apply: "build",
    // It reads files with their types.
    enforce: "pre",
    resolveId: (source) =>
      source.startsWith(PREFIX) && source.endsWith(SCHEMAS) ? fileOf(source) : undefined,
    load: (id) => (id.startsWith(contract) && id.endsWith(SCHEMAS) ? "" : undefined),
    transform(code, id) {
      if (id === fileOf(SENTENCES)) return undefined;
      if (!id.startsWith(contract)) {
        if (!code.includes(`"${PREFIX}`)) return undefined;
        const edits = importsIn(parse(id, code)).map((one) => ({ ...one.node, text: importText(one) }));
        return { code: edited(code, edits), map: null };
      }
      const text = id.endsWith(SCHEMAS) ? schemasOf(id.slice(0, -SCHEMAS.length)) : restOf(id);
      // What no one uses is left out, together with what it imports.
      return { code: text, map: null, moduleSideEffects: false };
    },
  };
}

function schemasOf(file: string): string {
  const { imports, declarations, code } = moduleOf(file);
  const own = declarations.filter(({ isSchema }) => isSchema);
  const used = namesUsedBy(own);
  const rest = declarations.filter(({ isSchema }) => !isSchema).flatMap(({ names }) => names);
  return [
    `import * as z from "zod"; import "${SENTENCES}";`,
    `import { ${rest.filter((name) => used.has(name)).join(", ")} } from "${PREFIX}${file.slice(contract.length)}";`,
    ...imports.map((one) => importText(one, used)),
    ...own.map(({ node }) => textOf(code, node, [...callEdits(node), ...pureEdits(node)])),
  ].join("\n");
}

function restOf(file: string): string {
  const { imports, declarations, code } = moduleOf(file);
  const own = declarations.filter(({ isSchema }) => !isSchema);
  const hidden = own.filter(({ isExported }) => !isExported).flatMap(({ names }) => names);
  return [
    ...imports.map((one) => importText(one, namesUsedBy(own))),
    ...own.map(({ node }) => textOf(code, node, callEdits(node))),
    // The schemas may use them.
    `export { ${hidden.join(", ")} };`,
  ].join("\n");
}

const namesUsedBy = (declarations: readonly Declaration[]) =>
  new Set(declarations.flatMap(({ uses }) => [...uses]));

/** Imports the used names from the halves of the file that they are in. */
function importText({ from, names }: Import, used?: ReadonlySet<string>): string {
  const wanted = names.filter(({ local }) => !used || used.has(local));
  return [true, false]
    .map((schemas) => {
      const here = wanted.filter(({ exported }) => isSchema(from, exported) === schemas);
      const list = here.map(({ exported, local }) => `${exported} as ${local}`).join(", ");
      return here.length > 0 ? `import { ${list} } from "${from}${schemas ? SCHEMAS : ""}";` : "";
    })
    .join(" ");
}

function isSchema(source: string, name: string): boolean {
  const found = moduleOf(fileOf(source)).declarations.find(({ names }) => names.includes(name));
  if (!found) throw new Error(`${source} has no ${name}`);
  return found.isSchema;
}

const modules = new Map<string, Module>();

/**
 * A file of the contract. A declaration is a schema if it uses zod or another schema. Names are compared without their
 * scope: a variable in a function that has the name of a schema makes the function a schema, too.
 */
function moduleOf(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const code = readFileSync(file, "utf8");
  const body = parse(file, code);
  const imports = importsIn(body);
  const declarations = body.flatMap((node) => declarationIn(node) ?? []);
  const schemas = new Set(["z"]);
  for (const { from, names } of imports)
    for (const { exported, local } of names) if (isSchema(from, exported)) schemas.add(local);
  let before: number;
  do {
    before = schemas.size;
    for (const declaration of declarations) {
      declaration.isSchema ||= [...declaration.uses].some((name) => schemas.has(name));
      if (declaration.isSchema) for (const name of declaration.names) schemas.add(name);
    }
  } while (schemas.size > before);
  const made = { code, imports, declarations };
  modules.set(file, made);
  return made;
}

function parse(file: string, code: string): Node[] {
  return parseSync(file, code).program.body as unknown as Node[];
}

/** The imports of values from the contract. */
function importsIn(body: readonly Node[]): Import[] {
  return body.flatMap((node) => {
    if (node.type !== "ImportDeclaration" || node["importKind"] === "type") return [];
    const from = (node["source"] as { value: string }).value;
    if (!from.startsWith(PREFIX) || from === SENTENCES) return [];
    type Specifier = { importKind: string; imported: { name: string }; local: { name: string } };
    const names = (node["specifiers"] as Specifier[])
      .filter(({ importKind }) => importKind !== "type")
      .map(({ imported, local }) => ({ exported: imported.name, local: local.name }));
    return { node, from, names };
  });
}

function declarationIn(node: Node): Declaration | undefined {
  const isExported = node.type === "ExportNamedDeclaration";
  const inner = (isExported ? node["declaration"] : node) as Node;
  const named = (inner.type === "VariableDeclaration" ? (inner["declarations"] as Node[]) : [inner]) as {
    id?: { name: string };
  }[];
  if (!/^(Variable|Function|Class)Declaration$/.test(inner.type)) return undefined;
  const names = named.flatMap(({ id }) => id?.name ?? []);
  return { node, names, uses: new Set(identifiersIn(inner)), isExported, isSchema: false };
}

/** Every name in a piece of code that could be one of the module's, without those in types and in calls. */
function* identifiersIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const one of value) yield* identifiersIn(one);
  if (!isNode(value) || isCall(value)) return;
  if (value.type === "Identifier") yield value["name"] as string;
  if (value.type.startsWith("TS")) return yield* identifiersIn(value["expression"]);
  const isName = { Property: "key", MemberExpression: "property" }[value.type];
  for (const [key, child] of Object.entries(value))
    if (key !== isName || value["computed"]) yield* identifiersIn(child);
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** A call of the API: endpoint({ … }) */
const isCall = (node: Node) =>
  node.type === "CallExpression" && (node["callee"] as { name?: string }).name === "endpoint";

/** Leaves of each call its method and path. */
function callEdits(value: unknown): Edit[] {
  if (Array.isArray(value)) return value.flatMap(callEdits);
  if (!isNode(value)) return [];
  if (!isCall(value)) return Object.values(value).flatMap(callEdits);
  type Property = { key?: { name: string }; value: { value: string } };
  const [{ properties }] = value["arguments"] as [{ properties: Property[] }];
  const kept = properties.filter(({ key }) => key?.name === "method" || key?.name === "path");
  const text = kept.map((one) => `${one.key?.name}: ${JSON.stringify(one.value.value)}`).join(", ");
  return [{ start: value.start, end: value.end, text: `{ ${text} }` }];
}

/** Lets the bundler leave out a schema that no one uses. It can't know that making one has no effects. */
function pureEdits(node: Node): Edit[] {
  const inner = (node["declaration"] ?? node) as Node;
  if (inner.type !== "VariableDeclaration") return [];
  return (inner["declarations"] as { init: Node }[]).flatMap(({ init }) =>
    /Function/.test(init.type)
      ? []
      : [
          { start: init.start, end: init.start, text: "/* @__PURE__ */ (() => (" },
          { start: init.end, end: init.end, text: "))()" },
        ],
  );
}

function textOf(code: string, { start, end }: Node, edits: readonly Edit[]): string {
  const moved = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return edited(code.slice(start, end), moved);
}

function edited(code: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code);
}
