import { useEffect } from "react";
import { settings } from "#contract/calls/settings.ts";
import { useRead } from "#web/api/use-read.ts";

const KEY = "companyLogo";

function kept(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** Keeps a copy in this browser for when the server does not answer. "" removes it. */
export function keepLogo(logo: string): void {
  try {
    if (logo) localStorage.setItem(KEY, logo);
    else localStorage.removeItem(KEY);
  } catch {
    // If storage is full or blocked, there is just no copy.
  }
}

/** The company's logo on the server; its `value` may be "". */
export const useStoredLogo = () => useRead(settings.value, { params: { key: KEY } });

/**
 * The company's logo as an image source, or "". Fetched once, and again when the setting is refreshed. Until the server
 * answers, the copy in the browser is used.
 */
export function useCompanyLogo(): string {
  const { data } = useStoredLogo();
  const stored = data && String(data.value);
  useEffect(() => {
    if (stored !== undefined) keepLogo(stored);
  }, [stored]);
  return stored ?? kept();
}
