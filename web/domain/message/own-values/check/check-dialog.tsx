import { Download, FileX2 } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { values as calls, type ValuesOverview } from "#contract/calls/values.ts";
import type { ValuesSummary } from "#contract/calls/notification-fields.ts";
import { counted } from "#contract/text/count-text.ts";
import { listText } from "#contract/text/locale.ts";
import { fileFields } from "#web/domain/message/fields.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { Columns } from "#web/domain/message/own-values/check/columns-list.tsx";
import { FileCard } from "#web/domain/message/own-values/check/file-card.tsx";
import { RowPreview } from "#web/domain/message/own-values/check/row-preview.tsx";
import { type Chosen, Rows } from "#web/domain/message/own-values/check/rows.tsx";
import { ToFix } from "#web/domain/message/own-values/check/to-fix.tsx";
import { type Check, useCheck } from "#web/domain/message/own-values/check/use-check.ts";
import { useDownload } from "#web/domain/message/own-values/use-download.ts";
import { useOwnValues } from "#web/domain/message/own-values/use-own-values.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { Button } from "#web/ui/page/button.tsx";

export type CheckDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  file: ValuesSummary;
  /** Another file was uploaded instead. */
  onReplaced: (file: ValuesSummary) => void;
};

/** "Check the values": whom each row is for, what is wrong with it, and the message as its person gets it. */
export default function CheckDialog(props: CheckDialogProps) {
  // Another file begins anew.
  return <CheckOf key={props.file.id} {...props} />;
}

const firstReady: Chosen = { only: "ready", q: "", at: 1 };

function CheckOf({ open, onOpenChange, file, onReplaced }: CheckDialogProps) {
  const { values, ...known } = useMessage();
  const { update, sendToAll } = useOwnValues();
  const check = useCheck(file.id);
  const { overview, read } = check;
  const { error, isFetching, refetch } = read;
  const [chosen, setChosen] = useState(firstReady);
  const fields = fileFields(values, known);
  useFieldsOf(check, fields);
  const close = () => {
    onOpenChange(false);
    // The cell that was just left may still be on its way.
    void check.settled().then((last) => {
      const now = last ?? overview;
      if (now && !now.kept) update(summaryOf(now));
    });
  };
  const filled = overview?.fields ?? file.fields;
  const title = values.title.trim();
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Check the values"
      description={
        <>
          {title !== "" && (
            <>
              <bdi translate="no">{title}</bdi> ·{" "}
            </>
          )}
          {filled.length === 0
            ? "A row for each person, and a column for each detail."
            : `${listText(filled.map((field) => `{{${field}}}`))} ${filled.length === 1 ? "comes" : "come"} from your file, one row for each person.`}
        </>
      }
      wide
      beside={
        overview && <RowPreview check={check} overview={overview} chosen={chosen} onChoose={setChosen} />
      }
      footer={
        overview && (
          <Footer
            check={check}
            overview={overview}
            onClose={close}
            onUse={() => {
              if (values.recipients.length === 0) sendToAll(summaryOf(overview));
              close();
            }}
          />
        )
      }
    >
      <ReadStates
        read={{ data: overview, error, isFetching, refetch }}
        failed="We couldn't load this file"
        missing={
          <EmptyState
            icon={<FileX2 aria-hidden />}
            title="This file isn't here anymore"
            hint="Files are kept for a day, or for as long as a message has them. Choose it again to use it."
            action={<Button onClick={() => onOpenChange(false)}>Back to message</Button>}
          />
        }
        skeleton={<Skeleton className="h-96 rounded-lg" />}
      >
        {(shown) => (
          <div className="flex flex-col gap-5">
            <div className="divide-y divide-line rounded-lg border border-line shadow-card">
              <FileCard check={check} overview={shown} fields={fields} onReplaced={onReplaced} />
              <Columns check={check} overview={shown} fields={fields} />
            </div>
            <ToFix overview={shown} />
            <Rows check={check} overview={shown} chosen={chosen} onChoose={setChosen} />
          </div>
        )}
      </ReadStates>
    </Dialog>
  );
}

const summaryOf = ({ id, name, people, fields }: ValuesOverview): ValuesSummary => ({
  id,
  name,
  people,
  fields,
});

/** A message that was changed since the file was read has other fields to fill. */
function useFieldsOf(check: Check, fields: readonly string[]): void {
  const { overview } = check;
  const known = overview && [...overview.fields, ...overview.open];
  const unknown = known && !overview.kept && fields.some((field) => !known.includes(field));
  const tell = useEffectEvent(() => check.change({ fields: [...fields] }));
  useEffect(() => {
    if (unknown) tell();
  }, [unknown]);
}

type FooterProps = { check: Check; overview: ValuesOverview; onClose: () => void; onUse: () => void };

function Footer({ check, overview, onClose, onUse }: FooterProps) {
  const { toFix, ready, kept, problem } = overview;
  const download = useDownload(calls.toFix);
  return (
    <>
      {toFix > 0 && (
        <Button
          icon={<Download aria-hidden />}
          className="mr-auto max-sm:w-full"
          busy={download.isPending}
          disabled={check.saving}
          onClick={() => download.mutate({ params: { id: check.id } })}
        >
          Download the {toFix === 1 ? "row to fix" : counted(toFix, "row")}
        </Button>
      )}
      <Button variant={kept ? "outline" : "ghost"} className="max-sm:flex-1" onClick={onClose}>
        Back to message
      </Button>
      {!kept && (
        <Button
          variant="ink"
          className="max-sm:flex-1"
          busy={check.saving}
          disabled={ready === 0 || problem !== null}
          onClick={onUse}
        >
          {problem ? "Use rows" : `Use ${counted(ready, "row")}`}
        </Button>
      )}
    </>
  );
}
