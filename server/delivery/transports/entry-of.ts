/** What a table says of a name that a provider gave, which may be one that every object has, such as "constructor". */
export function entryOf<Entry>(
  table: Readonly<Record<string, Entry>>,
  name: string | undefined,
): Entry | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}
