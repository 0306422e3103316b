type RandomSource = {
  randomUUID?: () => string;
  getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => unknown;
};

/** 128 random bits as a word. On plain http a browser has no randomUUID, so there they are drawn by hand. */
export function mintClientKey(source: RandomSource = crypto): string {
  if (source.randomUUID) return source.randomUUID();
  const bytes = new Uint8Array(16);
  source.getRandomValues(bytes);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
