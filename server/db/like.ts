/** A LIKE pattern for lowercase text that contains this, with LIKE's special characters escaped. */
export function containing(text: string): string {
  return `%${text.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}
