import { useQuery } from "@tanstack/react-query";
import { csv } from "#contract/calls/csv.ts";
import { send } from "#web/api/client.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import type { ExportFile } from "#web/features/csv/csv-worker.ts";
import { CsvWorker } from "#web/features/csv/worker-client.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";

export type Export =
  | { name: "loading" }
  | { name: "failed"; message: string; retry: () => void }
  | { name: "empty" }
  | { name: "ready"; file: ExportFile };

/** Loads the export each time its tab is opened and drops it when the dialog closes, because it is everyone's data. */
export function useExport(active: boolean): Export {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [csv.export.path],
    queryFn: ({ signal }) => load(signal),
    enabled: active,
    staleTime: 0,
    gcTime: 0,
    structuralSharing: false,
  });
  if (isFetching || (!data && !error)) return { name: "loading" };
  if (error) return { name: "failed", message: error.message, retry: () => void refetch() };
  return data && data.people > 0 ? { name: "ready", file: data } : { name: "empty" };
}

async function load(signal: AbortSignal): Promise<ExportFile> {
  const worker = new CsvWorker();
  try {
    const response = await send(csv.export, csv.export.path, { signal });
    // Parsed in the worker: 100,000 people would freeze the page.
    return await worker.call("writeExport", await response.arrayBuffer());
  } catch (error) {
    if (!signal.aborted) {
      const message = reasonOf(error, "Failed to export user data");
      toast({ title: "Export Failed", description: message, variant: "destructive" });
    }
    throw error;
  } finally {
    worker.stop();
  }
}
