import { useMutation } from "@tanstack/react-query";
import { ChevronDown, Download, FileSpreadsheet, FileText } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { MOST_PRINTED, reports } from "#contract/calls/reports.ts";
import { numberText } from "#contract/text/locale.ts";
import { address, send } from "#web/api/client.ts";
import { fileNameOf } from "#web/api/file-name.ts";
import { Button } from "#web/ui/page/button.tsx";
import { downloadFile } from "#web/ui/browser/download-file.ts";
import { megabytes } from "#web/ui/browser/file-size.ts";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "#web/ui/page/menu.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

type Kind = keyof typeof reports;
type Props = { notificationId: number; people: number };

/** Offers the report as a PDF or a CSV, and shows how much of it has arrived. */
export function DownloadReport({ notificationId, people }: Props) {
  const [received, setReceived] = useState(0);
  const stop = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    stop.current = controller;
    return () => controller.abort();
  }, []);
  const download = useMutation({
    mutationFn: async (kind: Kind) => {
      setReceived(0);
      const url = address(reports[kind].path, { params: { id: notificationId } });
      const response = await send(reports[kind], url, { signal: stop.current.signal });
      return { name: fileNameOf(response, `report.${kind}`), file: await readFile(response, setReceived) };
    },
    onSuccess: ({ name, file }) => {
      downloadFile(name, file);
      toast({ title: "Report Downloaded", description: name });
    },
    onError: (error) => {
      if (stop.current.signal.aborted) return;
      toast({ variant: "destructive", title: "Download Failed", description: error.message });
    },
  });
  const progress = received > 0 ? `Creating report, ${megabytes(received)}` : "Creating report...";
  return (
    <Menu>
      <MenuTrigger>
        <Button icon={<Download aria-hidden />} busy={download.isPending}>
          {download.isPending ? progress : "Download Report"}
          {!download.isPending && <ChevronDown aria-hidden />}
        </Button>
      </MenuTrigger>
      <MenuContent className="w-80 max-w-[calc(100vw-2rem)]">
        <Choice icon={<FileText aria-hidden />} title="PDF" onSelect={() => download.mutate("pdf")}>
          To print or hand over: the exact content, and what happened for each person.
          {people > MOST_PRINTED &&
            ` Lists ${numberText(MOST_PRINTED)} of ${numberText(people)} people, those not reached first.`}
        </Choice>
        <Choice icon={<FileSpreadsheet aria-hidden />} title="CSV" onSelect={() => download.mutate("csv")}>
          For a spreadsheet: one row per recipient and channel. Times are UTC.
        </Choice>
      </MenuContent>
    </Menu>
  );
}

type ChoiceProps = { icon: ReactNode; title: string; onSelect: () => void; children: ReactNode };

function Choice({ icon, title, onSelect, children }: ChoiceProps) {
  return (
    <MenuItem onSelect={onSelect} className="items-start py-2 [&_svg]:mt-0.5">
      {icon}
      <span className="min-w-0">
        <span className="block font-medium">{title}</span>
        <span className="block text-ink-2">{children}</span>
      </span>
    </MenuItem>
  );
}

/** Reads a file to its end. Throws if the connection breaks before. */
async function readFile(response: Response, onBytes: (count: number) => void): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let count = 0;
  const reader = response.body!.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      parts.push(next.value);
      count += next.value.length;
      onBytes(count);
    }
  } catch (cause) {
    throw new Error("The download was interrupted. Try again.", { cause });
  }
  return new Blob(parts, { type: response.headers.get("Content-Type") ?? "" });
}
