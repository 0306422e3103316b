import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/**
 * Loopback, private and other special-purpose networks (RFC 6890), and those whose addresses contain an IPv4 address,
 * which may be a private one.
 */
const NOT_PUBLIC = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2001::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const;

/** A host that must not be connected to, or does not exist. */
type Refused = { refused: "private" | "unknown"; detail: string };

/**
 * Protects this computer and private networks from server-side request forgery through hosts that people enter. Each
 * connection goes to the address that was checked, so DNS rebinding gains nothing.
 */
export class NetworkGuard {
  readonly #private = new BlockList();
  readonly #allowed = new BlockList();

  /** `allowed`: addresses and networks (`192.168.1.5`, `10.0.0.0/8`) that are allowed although private. */
  constructor(allowed: readonly string[] = []) {
    for (const [network, bits] of NOT_PUBLIC) this.#private.addSubnet(network, bits, family(network));
    for (const entry of allowed) addNetwork(this.#allowed, entry);
  }

  /** Resolves a host to the address to connect to. Prefers IPv4, because not every network routes IPv6. */
  async addressOf(host: string): Promise<string | Refused> {
    const addresses = isIP(host) ? [host] : await lookUp(host);
    if (addresses.length === 0) return { refused: "unknown", detail: `There is no server called ${host}` };
    const open = addresses.filter((address) => this.#mayConnect(address));
    const first = open.find((address) => isIP(address) === 4) ?? open[0];
    return first ?? { refused: "private", detail: privateSentence(host) };
  }

  #mayConnect(address: string): boolean {
    const of = family(address);
    return this.#allowed.check(address, of) || !this.#private.check(address, of);
  }
}

/** Throws an Error, worded for the list of settings, if the entry is neither an address nor a network. */
export function addNetwork(list: BlockList, entry: string): void {
  const [address = "", bits, more] = entry.split("/");
  const of = family(address);
  const most = of === "ipv6" ? 128 : 32;
  if (
    !isIP(address) ||
    more !== undefined ||
    (bits !== undefined && !(/^\d{1,3}$/.test(bits) && +bits <= most))
  ) {
    throw new Error("must be addresses or networks like 10.0.0.0/8");
  }
  if (bits === undefined) list.addAddress(address, of);
  else list.addSubnet(address, Number(bits), of);
}

function privateSentence(host: string): string {
  return (
    `${host} is on this computer or a private network. To use a mail server there, ` +
    "add its address to SMTP_PRIVATE_ADDRESSES and restart Porchlight."
  );
}

async function lookUp(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

function family(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
