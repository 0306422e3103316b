import type { SmtpSettings } from "./settings.ts";

/**
 * Removes our login from what a server says: some servers quote the command they refuse, and their words are stored and
 * shown.
 */
export type WithoutLogin = (text: string) => string;

/** The text is cut at the first word that reveals the login, in clear or in Base64, because more of it may follow. */
export function withoutLogin({ user, password }: Pick<SmtpSettings, "user" | "password">): WithoutLogin {
  if (password === "") return (text) => text;
  return (text) => {
    const places = [
      text.indexOf(password),
      text.search(/\bAUTH\s+[\w-]+\s+\S/i),
      ...[...text.matchAll(/[A-Za-z0-9+/_-]{4,}/g)]
        .filter(([word]) => givesAway(Buffer.from(word, "base64").toString("utf8"), { user, password }))
        .map(({ index }) => index),
    ].filter((place) => place >= 0);
    return places.length === 0 ? text : `${text.slice(0, Math.min(...places))}…`;
  };
}

/**
 * PLAIN sends both, LOGIN one after the other, CRAM-MD5 the user and a digest. The server may quote only the beginning.
 */
function givesAway(decoded: string, { user, password }: Pick<SmtpSettings, "user" | "password">): boolean {
  return (
    (user.length >= 3 && decoded.includes(user)) ||
    decoded.includes(password) ||
    (decoded.length >= 3 && (password.startsWith(decoded) || `\0${user}\0${password}`.startsWith(decoded)))
  );
}
