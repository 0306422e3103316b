import { isIP } from "node:net";

export type PasskeySite = {
  /** The domain that passkeys are made for (WebAuthn's RP ID). */
  rpId: string;
  /** The only origin whose pages can use them. */
  origin: string;
};

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Where passkeys work at this public address: browsers allow them for a domain over https, and for localhost. On this
 * computer that is the same server under the name localhost. Null: nowhere.
 */
export function passkeySite(publicUrl: URL): PasskeySite | null {
  const { protocol, hostname, port, origin } = publicUrl;
  if (loopback.test(hostname)) {
    return { rpId: "localhost", origin: `${protocol}//localhost${port === "" ? "" : `:${port}`}` };
  }
  if (protocol !== "https:" || isIP(hostname) !== 0 || hostname.startsWith("[")) return null;
  return { rpId: hostname, origin };
}
