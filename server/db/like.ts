/** A LIKE pattern for lower-case text that contains this; LIKE's own signs stand for themselves. */
export function containing(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}
