/** 128 random bits as text, under which the server does a call once. Works on plain http, where randomUUID is missing. */
export function mintClientKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
