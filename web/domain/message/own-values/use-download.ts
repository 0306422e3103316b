import { useMutation } from "@tanstack/react-query";
import type { Endpoint } from "#contract/endpoint.ts";
import { address, send } from "#web/api/client.ts";
import { fileNameOf } from "#web/api/file-name.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { downloadFile } from "#web/ui/browser/download-file.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";

type Asked = { params?: Record<string, number>; json?: object };

/** Saves the CSV file that a call answers with. */
export function useDownload(endpoint: Endpoint) {
  return useMutation({
    mutationFn: async ({ params, json }: Asked) => {
      const response = await send(endpoint, address(endpoint.path, { params }), { json });
      return { name: fileNameOf(response, "values.csv"), file: await response.blob() };
    },
    onSuccess: ({ name, file }) => downloadFile(name, file),
    onError: (error) =>
      toast({ variant: "destructive", title: "Download Failed", description: reasonOf(error) }),
  });
}
