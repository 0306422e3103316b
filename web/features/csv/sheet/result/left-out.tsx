import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type ImportResults, importResults } from "#contract/calls/import-results.ts";
import { counted } from "#contract/text/count-text.ts";
import { listText, numberText } from "#contract/text/locale.ts";
import { address, send } from "#web/api/client.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { downloadFile } from "#web/ui/browser/download-file.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { Button } from "#web/ui/page/button.tsx";

type Props = { id: number; left: ImportResults["left"]; onPurpose: readonly string[] };

/** The rows that someone has to look at, and who was left out on purpose. */
export function LeftOut({ id, left: { rows, first }, onPurpose }: Props) {
  const download = useMutation({
    mutationFn: async () => {
      const url = address(importResults.leftOut.path, { params: { id } });
      return (await send(importResults.leftOut, url)).blob();
    },
    onSuccess: (file) => downloadFile("rows_left_out.csv", file),
    onError: (error) =>
      toast({ variant: "destructive", title: "Download Failed", description: error.message }),
  });
  if (rows === 0 && onPurpose.length === 0) return null;
  return (
    <section
      aria-labelledby="left-title"
      className="rounded-lg border border-line bg-card text-sm shadow-card"
    >
      <h4 id="left-title" className="border-b border-line px-4 py-3 text-base font-semibold">
        Left out
      </h4>
      {rows > 0 && (
        <div className="flex flex-col gap-3 p-4">
          <p className="font-semibold">
            {counted(rows, "row")} still {rows === 1 ? "needs" : "need"} you
          </p>
          <ul className="flex flex-col gap-1.5">
            {first.map(({ line, reasons }) => (
              <li key={line} className="flex gap-3">
                <span className="tabular w-16 shrink-0 text-ink-3">Row {line}</span>
                <span className="min-w-0 break-words">{reasons[0]?.reason}</span>
              </li>
            ))}
          </ul>
          {rows > first.length && <p className="text-ink-3">And {numberText(rows - first.length)} more.</p>}
          <div>
            <Button
              icon={<Download aria-hidden />}
              busy={download.isPending}
              onClick={() => download.mutate()}
            >
              Download the {rows === 1 ? "row" : `${numberText(rows)} rows`} left out
            </Button>
            <p className="mt-2 text-ink-3">The first column says what to fix.</p>
          </div>
        </div>
      )}
      {onPurpose.length > 0 && (
        <p className={cx("p-4 text-ink-2", rows > 0 && "border-t border-line")}>
          Left out on purpose: {listText(onPurpose)}.
        </p>
      )}
    </section>
  );
}
