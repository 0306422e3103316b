/** How Node and the libraries above it say that no encrypted connection came about. */
type Said = { message: string; code?: unknown; originalCode?: unknown };

type Problem = { code: "bad_certificate" | "no_tls" | "tls_failed"; detail: string };

/**
 * Why no encrypted connection came about, and what to try: OpenSSL's own text means nothing to people. `who`: "The mail
 * server"; `plain`: what to try where a server answers without TLS. Undefined: it is about something else.
 */
export function tlsProblem(error: unknown, who: string, plain: string): Problem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { message, code, originalCode } = error as Said;
  const said = [originalCode, code].find((one) => typeof one === "string" && TLS.test(one));
  if (typeof said !== "string") return undefined;
  const known = said === "EPROTO" ? `ERR_SSL_${message.replaceAll(" ", "_")}` : said;
  const [, problem, text] = MEANINGS.find(([pattern]) => pattern.test(known))!;
  return { code: problem, detail: text(who, { plain, message }) };
}

const TLS =
  /^(?:CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|ERR_TLS_|ERR_SSL_|EPROTO$)/;

type Text = (who: string, about: { plain: string; message: string }) => string;

/** The first pattern that fits decides. */
const MEANINGS: readonly (readonly [RegExp, Problem["code"], Text])[] = [
  [
    /SELF_SIGNED/,
    "bad_certificate",
    (who) =>
      `${who}'s certificate is self-signed, so it proves nothing. Use one from a certificate authority.`,
  ],
  [
    /HAS_EXPIRED/,
    "bad_certificate",
    (who) => `${who}'s certificate has expired. Ask whoever runs it to renew the certificate.`,
  ],
  [
    /NOT_YET_VALID/,
    "bad_certificate",
    (who) => `${who}'s certificate isn't valid yet. Check the clock of the computer that runs Porchlight.`,
  ],
  [
    /REVOKED/,
    "bad_certificate",
    (who) => `${who}'s certificate was revoked. Ask whoever runs it for a new one.`,
  ],
  [
    /ALTNAME|HOSTNAME_MISMATCH/,
    "bad_certificate",
    (who, { message }) => {
      const names = [...message.matchAll(/DNS:([\w.*-]{1,253})/g)].map(([, name]) => name).slice(0, 3);
      const enter =
        names.length > 0 ? `Enter the name that it is for: ${names.join(" or ")}.` : "Check the host.";
      return `${who}'s certificate is for another name. ${enter}`;
    },
  ],
  [
    /UNABLE_TO_|INVALID_CA|^CERT_|^CRL_|CERTIFICATE_VERIFY_FAILED/,
    "bad_certificate",
    (who) =>
      `${who}'s certificate doesn't lead to a certificate authority that we trust. Ask whoever runs it to install the whole chain.`,
  ],
  [
    /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW/i,
    "tls_failed",
    (who) => `${who} only offers old versions of TLS, which aren't safe. It needs TLS 1.2 or later.`,
  ],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH|HTTP_REQUEST|BAD_RECORD_TYPE|UNEXPECTED_MESSAGE|RECORD_OVERFLOW/i,
    "no_tls",
    (who, { plain }) => `${who} doesn't speak TLS here. ${plain}`,
  ],
  [
    /HANDSHAKE_FAILURE|NO_SHARED|NO_CIPHERS|KEY_TOO_SMALL|INSUFFICIENT_SECURITY|ILLEGAL_PARAMETER/i,
    "tls_failed",
    (who) => `${who} offers no encryption that is safe today. Ask whoever runs it to update it.`,
  ],
  [/./, "tls_failed", (who) => `We couldn't make an encrypted connection to ${who.replace(/^T/, "t")}.`],
];
