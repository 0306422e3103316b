import { hash, hashRaw, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import { refusal } from "#contract/refusals/refusal.ts";

// OWASP's first choice for Argon2id (the library's default algorithm): 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// A hash takes 19 MiB, so without a limit a burst of sign-ins would use up the memory.
const limit = pLimit(4);
/** A few seconds of work. Later callers are told to try again instead of waiting. */
export const MOST_WAITING = 100;

/** Throws unavailable when the queue is so long that one more would wait for long. */
export function refuseWhileBusy(): void {
  if (limit.pendingCount >= MOST_WAITING) {
    throw refusal("too-many-signing-in", {}, { retryAfter: 5 });
  }
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  refuseWhileBusy();
  return limit(work);
}

/** The same password from every keyboard: "é" is one character on some and two on others (NFKC, NIST SP 800-63B). */
const normalized = (password: string) => password.normalize("NFKC");

export const hashPassword = (password: string): Promise<string> =>
  inTurn(() => hash(normalized(password), cost));

/** The same for what is looked up by its hash: 32 bytes that depend on the text and the salt alone. */
export const hashWithSalt = (text: string, salt: Buffer): Promise<Buffer> =>
  inTurn(() => hashRaw(text, { ...cost, salt }));

// Verified for unknown people, so that they take as long as known ones.
const nobody = hashPassword("no account has this password");

/**
 * Whether `password` matches the stored hash. Without a hash it takes the same time and returns false. Hashes made before
 * passwords were normalized fit as they were typed then.
 */
export async function passwordFits(stored: string | null, password: string): Promise<boolean> {
  return (await passwordFit(stored, password)) !== "none";
}

/** `older`: it fits, but its hash has another form than `hashPassword` makes now. */
export async function passwordFit(
  stored: string | null,
  password: string,
): Promise<"current" | "older" | "none"> {
  const target = stored ?? (await nobody);
  const current = normalized(password);
  const older = [password, password.normalize("NFC"), password.normalize("NFD")];
  for (const form of new Set([current, ...older])) {
    if (await inTurn(() => verify(target, form))) {
      if (stored === null) return "none";
      return form === current ? "current" : "older";
    }
  }
  return "none";
}

/** Rows of keys, letters and digits in the order in which people type them. */
const rows = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "!@#$%^&*()",
];
const order = [...rows, ...rows.map((row) => Array.from(row).toReversed().join(""))];

/** What is left must still be a few characters that are hard to guess in order. */
const LEAST = 6;
const MOST_LOOKED_AT = 128;

/**
 * Whether a password is little more than a repetition or a sequence: each run of the same or of neighboring keys counts
 * as one character, and so does what is repeated.
 */
function isPattern(password: string): boolean {
  const signs = Array.from(password.slice(0, MOST_LOOKED_AT).replaceAll(/(.{2,}?)\1+/gsu, "$1"));
  let count = 0;
  for (const [at, sign] of signs.entries()) {
    const pair = `${signs[at - 1] ?? ""}${sign}`;
    if (signs[at - 1] !== sign && !(at > 0 && order.some((row) => row.includes(pair)))) count += 1;
  }
  return count < LEAST || new Set(signs).size < LEAST - 1;
}

const disguises: Record<string, string> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "1": "i",
  "0": "o",
  $: "s",
  "5": "s",
  "7": "t",
};

/** "p@ssw0rd" is read as "password". */
const withoutDisguise = (password: string) =>
  password
    .replaceAll(/[@4310$57]/g, (sign) => disguises[sign] ?? sign)
    .replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");

let common: Promise<ReadonlySet<string>> | undefined;

/** Loaded with the first new password: it takes 15 MB. */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"]);
}

const special = /[^\p{L}\p{N}\s]/u;

export type PasswordPolicy = { minLength: number; special: boolean };

/** The policy in a sentence. */
export function policySentence(policy: PasswordPolicy): string {
  const symbol = policy.special ? ", with at least one special character" : "";
  return `At least ${policy.minLength} characters${symbol}. A few words you'll remember work best.`;
}

/** The next password tries again. */
function forgetCommon(error: unknown): never {
  common = undefined;
  throw error;
}

/** Refuses a new password that the policy or the list of common ones forbids, with the sentence at `password`. */
export async function checkNewPassword(
  password: string,
  policy: PasswordPolicy,
  person: string[],
): Promise<void> {
  const typed = normalized(password);
  if (Array.from(typed).length < policy.minLength) {
    throw refusal("password-too-short", { least: policy.minLength });
  }
  if (policy.special && !special.test(typed)) {
    throw refusal("password-without-special");
  }
  const plain = typed.toLowerCase();
  if (/^(.)\1*$/su.test(plain)) throw refusal("password-one-character");
  // "password1!" is as easy to guess as "password", so characters before and after the word do not count.
  const core = plain.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  const known = await (common ??= commonPasswords().catch(forgetCommon));
  if (
    known.has(plain) ||
    known.has(plain.replaceAll(/[^\p{L}\p{N}]/gu, "")) ||
    (core.length >= 4 && known.has(core))
  ) {
    throw refusal("password-common");
  }
  if (isPattern(plain) || known.has(withoutDisguise(plain))) {
    throw refusal("password-pattern");
  }
  if (person.some((word) => word.length >= 3 && core === word.toLowerCase())) {
    throw refusal("password-own-name");
  }
}
