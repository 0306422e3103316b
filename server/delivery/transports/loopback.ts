import { isIP } from "node:net";

/** Whether a host, as typed or from a URL, is this computer. */
export function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host);
}

/** The name of the host in our public URL, if others know this computer by it. */
export function publicHostName({ hostname }: URL): string | undefined {
  return isLoopback(hostname) || isIP(hostname.replace(/^\[(.*)\]$/, "$1")) > 0 ? undefined : hostname;
}
