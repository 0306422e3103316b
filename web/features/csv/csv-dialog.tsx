import { useState } from "react";
import { ExportFooter, ExportPanel } from "#web/features/csv/export-panel.tsx";
import { ImportFooter } from "#web/features/csv/import-footer.tsx";
import { ImportPanel } from "#web/features/csv/import-panel.tsx";
import { useExport } from "#web/features/csv/use-export.ts";
import { useImport } from "#web/features/csv/use-import.ts";
import { useDiscardQuestion } from "#web/domain/save/use-discard-question.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Tab, TabList, TabPanel, Tabs } from "#web/ui/page/tabs.tsx";

type CsvTab = "import" | "export";
export type CsvDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The tab it opens on. */
  tab: CsvTab;
  /** A file was uploaded: its import opens instead. */
  onFile: (id: number) => void;
};

const descriptions: Record<CsvTab, string> = {
  import: "Add people or update those on file.",
  export: "Everyone on file, as a file for any spreadsheet.",
};

export default function CsvDialog({ open, onOpenChange, tab: first, onFile }: CsvDialogProps) {
  const [tab, setTab] = useState(first);
  const importing = useImport(onFile);
  const exported = useExport(open && tab === "export");
  const busy = importing.phase.name === "importing";
  // Escape must not end an import halfway; Cancel does.
  const { close, question } = useDiscardQuestion({
    unsaved:
      importing.phase.name !== "finished" &&
      (importing.source.kind === "long" || importing.source.text.trim() !== ""),
    busy,
    what: busy
      ? "The import stops. What has been imported stays."
      : "Your file hasn't been imported, and the choices you made for it will be lost.",
    onClose: () => onOpenChange(false),
  });
  return (
    <Tabs value={tab} onValueChange={(value) => setTab(value as CsvTab)}>
      <Dialog
        open={open}
        onOpenChange={close}
        title="Import/Export CSV"
        description={descriptions[tab]}
        above={
          <TabList aria-label="Import or export">
            <Tab value="import">Import</Tab>
            <Tab value="export" disabled={busy}>
              Export
            </Tab>
          </TabList>
        }
        footer={
          tab === "import" ? (
            <ImportFooter importing={importing} onClose={close} />
          ) : (
            <ExportFooter exported={exported} onClose={close} />
          )
        }
      >
        <TabPanel value="import" tabIndex={-1} className="outline-none">
          <ImportPanel importing={importing} onFile={onFile} />
        </TabPanel>
        <TabPanel value="export" tabIndex={-1} className="outline-none">
          <ExportPanel exported={exported} />
        </TabPanel>
        {question}
      </Dialog>
    </Tabs>
  );
}
