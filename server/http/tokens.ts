import { createHash, randomBytes, randomInt } from "node:crypto";

/** Random bytes that let anyone who has them do something. Only their hash is stored. */
export const newToken = (bytes = 32): string => randomBytes(bytes).toString("base64url");

export const tokenHash = (token: string): Buffer => createHash("sha256").update(token).digest();

// Without letters and digits that look alike.
const alphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";

/** Five random letters and digits of a code that a person types. */
export const codePart = (): string =>
  Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join("");
