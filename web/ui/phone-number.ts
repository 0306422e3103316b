/** An E.164 number as it is written where it belongs: "(415) 555-0123" in North America, else "+442079460018". */
export function nationalPhone(e164: string): string {
  const parts = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(e164);
  return parts ? `(${parts[1]}) ${parts[2]}-${parts[3]}` : e164;
}
