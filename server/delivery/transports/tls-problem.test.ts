import { expect, test } from "vitest";
import { tlsProblem } from "./tls-problem.ts";

const failure = (code: string, message = "x") => Object.assign(new Error(message), { code });

test.each([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "bad_certificate", "is self-signed"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "bad_certificate", "is self-signed"],
  ["CERT_HAS_EXPIRED", "bad_certificate", "has expired"],
  ["CERT_NOT_YET_VALID", "bad_certificate", "isn't valid yet"],
  ["CERT_REVOKED", "bad_certificate", "was revoked"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "bad_certificate", "doesn't lead to a certificate authority"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "bad_certificate", "doesn't lead to a certificate authority"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "bad_certificate", "is for another name. Check the host."],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "no_tls", "doesn't speak TLS here. Try X."],
  ["ERR_SSL_PACKET_LENGTH_TOO_LONG", "no_tls", "doesn't speak TLS here. Try X."],
  ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "tls_failed", "only offers old versions of TLS"],
  ["ERR_SSL_UNSUPPORTED_PROTOCOL", "tls_failed", "only offers old versions of TLS"],
  ["ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE", "tls_failed", "offers no encryption that is safe"],
  ["ERR_SSL_DH_KEY_TOO_SMALL", "tls_failed", "offers no encryption that is safe"],
  ["ERR_SSL_SOMETHING_NEW", "tls_failed", "an encrypted connection to the mail server."],
])("%s is said in words", (code, kind, words) => {
  const found = tlsProblem(
    failure(code, "0C0A:error:0A00010B:SSL routines:tls.c:354:"),
    "The mail server",
    "Try X.",
  );
  expect(found).toEqual({ code: kind, detail: expect.stringContaining(words) });
  expect(found?.detail).not.toMatch(/SSL|routines|ERR_/);
});

test("a certificate for another name says for which", () => {
  const message =
    "Hostname/IP does not match certificate's altnames: Host: a.example. is not in the cert's altnames: " +
    "DNS:mail.example.com, DNS:*.example.net";
  expect(tlsProblem(failure("ERR_TLS_CERT_ALTNAME_INVALID", message), "The mail server", "")?.detail).toBe(
    "The mail server's certificate is for another name. Enter the name that it is for: mail.example.com or *.example.net.",
  );
});

test("the code may be the library's, with Node's beside it, or only in the text", () => {
  const wrapped = Object.assign(failure("ESOCKET"), { originalCode: "CERT_HAS_EXPIRED" });
  expect(tlsProblem(wrapped, "The mail server", "")?.detail).toContain("has expired");
  const old = failure(
    "EPROTO",
    "write EPROTO 139:error:0A00010B:SSL routines:ssl3_get_record:wrong version number",
  );
  expect(tlsProblem(old, "The mail server", "Try X.")?.code).toBe("no_tls");
});

test("what is about something else is not a problem of TLS", () => {
  expect(tlsProblem(failure("ECONNREFUSED"), "The mail server", "")).toBeUndefined();
  expect(tlsProblem("ERR_SSL_", "The mail server", "")).toBeUndefined();
});
