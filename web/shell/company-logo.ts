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
 * The company's logo as an image source, "" without one. Read once; refreshing the setting reads it again.
 * When the server has none or does not answer, the browser's own copy stands in.
 */
export function useCompanyLogo(): string {
  const { data } = useRead(settings.value, { params: { key: KEY } });
  const fetched = String(data?.value ?? "");
  useEffect(() => {
    if (!fetched) return;
    try {
      localStorage.setItem(KEY, fetched);
    } catch {
      // A full or blocked storage only costs the copy.
    }
  }, [fetched]);
  return fetched || kept();
}
