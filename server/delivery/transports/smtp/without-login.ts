import type { SmtpSettings } from "./settings.ts";

/** Takes our login out of what a server says: some quote the command that they refuse, and what they say is stored and shown. */
export type WithoutLogin = (text: string) => string;

/** From the first word on that gives the login away, in clear or in Base64, the text is cut off: more of it may follow. */
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

/** PLAIN sends both, LOGIN one after the other, CRAM-MD5 the user and a digest. The server may quote the beginning only. */
function givesAway(decoded: string, { user, password }: Pick<SmtpSettings, "user" | "password">): boolean {
  return (
    (user.length >= 3 && decoded.includes(user)) ||
    decoded.includes(password) ||
    (decoded.length >= 3 && (password.startsWith(decoded) || `\0${user}\0${password}`.startsWith(decoded)))
  );
}
