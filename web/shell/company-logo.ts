import { useEffect } from "react";
import { settings } from "#contract/settings.ts";
import { useRead } from "#web/api/use-read.ts";

const KEY = "companyLogo";

function kept(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/**
 * The company's logo as an image source, or "". Fetched once, and again when the setting is refreshed. If the server has
 * none or does not answer, the copy in the browser is used.
 */
export function useCompanyLogo(): string {
  const { data } = useRead(settings.value, { params: { key: KEY } });
  const fetched = String(data?.value ?? "");
  useEffect(() => {
    if (!fetched) return;
    try {
      localStorage.setItem(KEY, fetched);
    } catch {
      // If storage is full or blocked, there is just no copy.
    }
  }, [fetched]);
  return fetched || kept();
}
