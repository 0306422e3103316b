import { BlockList } from "node:net";
import { addNetwork } from "#server/delivery/transports/network-guard.ts";

/** How settings are written: each reads a text, and answers undefined if it is none. */

export function postgresUrl(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(text)) return undefined;
  if (URL.parse(text)?.pathname.includes("@")) {
    throw new Error("must have / and other special characters of the password encoded, like %2F");
  }
  // A server reached through a socket has no host: postgres://user@/database?host=/run/postgresql
  return URL.canParse(text) || URL.canParse(text.replace("@/", "@localhost/")) ? text : undefined;
}

export function publicAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return url.href === `${url.origin}/` ? url.origin : undefined;
}

export function apiAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) return undefined;
  return url.href.replace(/\/$/, "");
}

export function networks(text: string): string[] {
  const entries = text.split(/\s+/);
  const list = new BlockList();
  for (const entry of entries) addNetwork(list, entry);
  return entries;
}

export function proxyCount(text: string): number | false | undefined {
  if (text === "false" || text === "0") return false;
  return /^([1-9]|10)$/.test(text) ? Number(text) : undefined;
}

/** A setting in an error, without its passwords. */
export function shown(text: string, secret = false): string {
  if (!secret) return JSON.stringify(text);
  const urls = text.split(/\s+/).map((part) => URL.parse(part));
  // In text that is not a URL, we cannot tell where a password begins.
  if (!urls.every((url) => url?.host && !url.pathname.includes("@")))
    return "not shown here, because it may hold a password";
  const open = urls.map((url) => {
    const { protocol, username, password, host, pathname } = url!;
    return `${protocol}//${username || password ? "***@" : ""}${host}${pathname}`;
  });
  return JSON.stringify(open.join(" "));
}
