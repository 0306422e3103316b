import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { groups } from "#contract/calls/groups.ts";
import { users } from "#contract/calls/users.ts";
import { numberText } from "#contract/text/locale.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import { needsList, syncText, type SyncReport } from "#web/features/groups/group-text.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

/** Recomputes the built-in groups and says what changed. */
export function SyncGroups() {
  const write = useWrite(users.syncGroups, {
    refreshes: [groups.list, groups.detail, groups.members, users.list, users.detail, users.properties],
  });
  const [report, setReport] = useState<SyncReport>();

  async function sync() {
    try {
      const done = await write.mutateAsync({});
      toast({ title: "Groups synchronized", description: syncText(done) });
      if (needsList(done)) setReport(done);
    } catch (error) {
      const message = reasonOf(error);
      toast({
        variant: "destructive",
        title: "Synchronization failed",
        description: `Failed to synchronize groups: ${message}`,
      });
    }
  }

  return (
    <>
      <Button icon={<RefreshCw aria-hidden />} busy={write.isPending} onClick={() => void sync()}>
        Sync User Groups
      </Button>
      {report && (
        <Dialog
          open
          onOpenChange={() => setReport(undefined)}
          title="Groups synchronized"
          description="The groups that update automatically are up to date."
          footer={
            <Button variant="ink" onClick={() => setReport(undefined)}>
              Close
            </Button>
          }
        >
          <div className="flex flex-col gap-5">
            <Names title="Created" names={report.created} />
            <Names title="Removed because no one lives there now" names={report.removed} />
          </div>
        </Dialog>
      )}
    </>
  );
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <section>
      <h3 className="text-sm font-semibold">
        {title} <span className="font-normal text-ink-3 tabular">{numberText(names.length)}</span>
      </h3>
      <ul className="mt-2 flex flex-wrap gap-1.5 text-sm">
        {names.map((name) => (
          <li key={name} className="rounded-sm bg-quiet-soft px-2 py-0.5">
            <bdi translate="no">{name}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
