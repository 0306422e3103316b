import type { SmtpSettings } from "./settings.ts";

/**
 * Redacts our credentials in a server's reply: some servers quote the command they reject, and replies are stored and
 * shown.
 */
export type RedactLogin = (text: string) => string;

/** Cuts the text at the first word that reveals the credentials, in clear or Base64, because more may follow. */
export function loginRedactor({ user, password }: Pick<SmtpSettings, "user" | "password">): RedactLogin {
  if (password === "") return (text) => text;
  return (text) => {
    const places = [
      text.indexOf(password),
      text.search(/\bAUTH\s+[\w-]+\s+\S/i),
      ...[...text.matchAll(/[A-Za-z0-9+/_-]{4,}/g)]
        .filter(([word]) => revealsLogin(Buffer.from(word, "base64").toString("utf8"), { user, password }))
        .map(({ index }) => index),
    ].filter((place) => place >= 0);
    return places.length === 0 ? text : `${text.slice(0, Math.min(...places))}…`;
  };
}

/** PLAIN sends user and password, LOGIN each on its own, CRAM-MD5 the user and a digest. A quote may be truncated. */
function revealsLogin(decoded: string, { user, password }: Pick<SmtpSettings, "user" | "password">): boolean {
  return (
    (user.length >= 3 && decoded.includes(user)) ||
    decoded.includes(password) ||
    (decoded.length >= 3 && (password.startsWith(decoded) || `\0${user}\0${password}`.startsWith(decoded)))
  );
}
