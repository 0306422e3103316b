import { ArrowLeft, ArrowRight, Check as CheckMark, FileX2 } from "lucide-react";
import type { ReactNode } from "react";
import type { ImportOverview } from "#contract/calls/imports.ts";
import { counted, people } from "#contract/text/count-text.ts";
import { importedIn } from "#web/features/csv/sheet/check-rows.ts";
import { CheckStep } from "#web/features/csv/sheet/check-step.tsx";
import { FileStep } from "#web/features/csv/sheet/file-step.tsx";
import { ResultStep } from "#web/features/csv/sheet/result-step.tsx";
import { ImportButton } from "#web/features/csv/sheet/leaving/import-button.tsx";
import { UndoImport } from "#web/features/csv/sheet/result/undo-import.tsx";
import { type Sheet, useSheet } from "#web/features/csv/sheet/use-sheet.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { FullScreen } from "#web/ui/dialog/full-screen.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { Button } from "#web/ui/page/button.tsx";

export type SheetImportProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The import of the file that was uploaded. */
  id: number;
  /** Another file was uploaded instead. */
  onOther: (id: number) => void;
};

/** A spreadsheet on its way in: its file, its check, its result. Loaded through launcher.tsx. */
export default function SheetImport({ id, ...props }: SheetImportProps) {
  // Another file begins anew.
  return <SheetScreen key={id} id={id} {...props} />;
}

function SheetScreen({ open, onOpenChange, id, onOther }: SheetImportProps) {
  const sheet = useSheet(id);
  const { overview, read } = sheet;
  const { error, isFetching, refetch } = read;
  const begun = sheet.running !== null || (overview?.progress ?? null) !== null;
  const step = begun ? "result" : sheet.step;
  const close = () => onOpenChange(false);
  return (
    <FullScreen
      open={open}
      onOpenChange={onOpenChange}
      closable={!sheet.running?.active}
      title="Import people"
      middle={<Steps step={step} />}
      footer={
        overview &&
        (step === "file" ? (
          <FileFooter sheet={sheet} overview={overview} onClose={close} />
        ) : step === "check" ? (
          <CheckFooter sheet={sheet} />
        ) : (
          <ResultFooter sheet={sheet} overview={overview} onClose={close} />
        ))
      }
    >
      <ReadStates
        read={{ data: overview, error, isFetching, refetch }}
        failed="We couldn't load this import"
        missing={
          <EmptyState
            icon={<FileX2 aria-hidden />}
            title="This file isn't here anymore"
            hint="Files are kept for a day, for who uploaded them. Choose it again to import it."
            action={<Button onClick={close}>Close</Button>}
          />
        }
        skeleton={<Skeleton className="h-96 rounded-lg" />}
      >
        {(shown) =>
          step === "file" ? (
            <FileStep sheet={sheet} overview={shown} onOther={onOther} onRemoved={close} />
          ) : step === "check" ? (
            <CheckStep sheet={sheet} overview={shown} />
          ) : (
            <ResultStep sheet={sheet} overview={shown} />
          )
        }
      </ReadStates>
    </FullScreen>
  );
}

const steps = [
  ["file", "File"],
  ["check", "Check"],
  ["result", "Result"],
] as const;

function Steps({ step }: { step: (typeof steps)[number][0] }) {
  const now = steps.findIndex(([name]) => name === step);
  return (
    <ol aria-label="Steps" className="flex items-center gap-2 text-sm sm:gap-3">
      {steps.map(([name, label], index) => (
        <li
          key={name}
          aria-current={index === now ? "step" : undefined}
          className={cx("flex items-center gap-2", index === now ? "font-semibold" : "text-ink-2")}
        >
          {index > 0 && <span aria-hidden className="hidden h-px w-8 bg-line-strong sm:block" />}
          <span
            aria-hidden
            className={cx(
              "grid size-6 place-items-center rounded-full text-xs font-semibold",
              index === now
                ? "bg-ink text-on-ink"
                : index < now
                  ? "bg-good-soft text-good"
                  : "border border-line-strong",
            )}
          >
            {index < now ? <CheckMark className="size-3.5" /> : index + 1}
          </span>
          <span className={index === now ? "" : "max-sm:sr-only"}>{label}</span>
        </li>
      ))}
    </ol>
  );
}

type FooterProps = { sheet: Sheet; overview: ImportOverview; onClose: () => void };

const FooterText = ({ children }: { children: ReactNode }) => (
  <p className="tabular mr-auto text-sm text-ink-2 max-sm:w-full">{children}</p>
);

function FileFooter({ sheet, overview, onClose }: FooterProps) {
  const { trouble, rows } = overview;
  return (
    <>
      <FooterText>
        {trouble === null
          ? "Nothing is imported before you have seen the check."
          : "Choose which column holds the names of people."}
      </FooterText>
      <Button onClick={onClose}>Cancel</Button>
      <Button
        variant="ink"
        disabled={trouble !== null || rows === 0}
        busy={sheet.saving}
        onClick={() => sheet.toCheck()}
      >
        Check {counted(rows, "row")}
        <ArrowRight aria-hidden />
      </Button>
    </>
  );
}

function CheckFooter({ sheet }: { sheet: Sheet }) {
  const { checking, stale } = sheet;
  const check = checking?.check;
  const number = check ? importedIn(check) : 0;
  const leaving = check?.movedOut ?? 0;
  const done = checking?.state === "done" && !stale;
  return (
    <>
      <Button icon={<ArrowLeft aria-hidden />} className="sm:mr-auto" onClick={() => sheet.toFile()}>
        Back
      </Button>
      {done && check && check.rejected > 0 && (
        <p className="tabular text-sm text-ink-2 max-sm:order-first max-sm:w-full">
          <strong className="font-semibold text-ink">
            {people(check.rejected)} {check.rejected === 1 ? "waits" : "wait"} for you.
          </strong>{" "}
          Rows you don't resolve are left out, and you can download them.
        </p>
      )}
      {stale ? (
        <Button variant="ink" onClick={() => sheet.check()}>
          Check again
        </Button>
      ) : (
        <ImportButton sheet={sheet} number={number} movedOut={leaving} done={done} />
      )}
    </>
  );
}

function ResultFooter({ sheet, overview, onClose }: FooterProps) {
  const { running } = sheet;
  const done = (running?.progress ?? overview.progress)?.done ?? false;
  if (running?.active) return <FooterText>Keep this window open until the import ends.</FooterText>;
  return done ? (
    <>
      <UndoImport id={overview.id} />
      <Button variant="ink" onClick={onClose}>
        Done
      </Button>
    </>
  ) : (
    <>
      <Button onClick={onClose}>Close</Button>
      <Button variant="ink" onClick={() => void sheet.run()}>
        Continue
      </Button>
    </>
  );
}
