import Bowser from "bowser";

const UNKNOWN = "Unknown device";

/** "Firefox on Windows", guessed from a User-Agent header; nothing is decided by it. */
export function deviceName(userAgent: string | null): string {
  const { browser, os, platform } = Bowser.parse(userAgent || "unknown");
  // Apple's own name for the device says more than "iOS"; one browser already names its system.
  const parts = [browser.name?.replace(" for Android", ""), platform.model ?? os.name];
  return parts.filter(Boolean).join(" on ") || UNKNOWN;
}

/** The same; null where it would say nothing. */
export function knownDevice(userAgent: string | null): string | null {
  const name = deviceName(userAgent);
  return name === UNKNOWN ? null : name;
}
