import { Copy, Link2Off, RefreshCw } from "lucide-react";
import { useState } from "react";
import { schedules } from "#contract/calls/schedules.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useRead } from "#web/api/use-read.ts";
import { useWrite } from "#web/api/use-write.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { SkeletonRows } from "#web/ui/feedback/skeleton.tsx";
import { copyText } from "#web/ui/browser/copy-text.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { When } from "#web/ui/time/when.tsx";

type Asking = "replace" | "revoke";

/** Your secret link for calendar apps: create it (shown only once), replace it, revoke it. */
export function CalendarLinkDialog({ onClose }: { onClose: () => void }) {
  const read = useRead(schedules.calendarLink, {}, { fresh: true });
  const refreshes = [schedules.calendarLink];
  const create = useWrite(schedules.createCalendarLink, { refreshes });
  const remove = useWrite(schedules.removeCalendarLink, { refreshes });
  const [url, setUrl] = useState<string>();
  const [asking, setAsking] = useState<Asking>();
  const link = read.data;
  const exists = Boolean(link?.createdAt);

  const failed = (error: unknown) =>
    toast({
      title: "Error",
      description: reasonOf(error),
      variant: "destructive",
    });
  const make = async () => {
    try {
      const made = await create.mutateAsync({});
      setUrl(made.url);
      toast({ title: "Calendar Link Created", description: "Copy it now. It is shown only once." });
    } catch (error) {
      failed(error);
    }
    setAsking(undefined);
  };
  const revoke = async () => {
    try {
      await remove.mutateAsync({});
      setUrl(undefined);
      toast({ title: "Calendar Link Revoked", description: "Calendar apps no longer get updates." });
    } catch (error) {
      failed(error);
    }
    setAsking(undefined);
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Subscribe in a calendar app"
      description="A secret link that shows the planned runs of the coming year, up to 5,000, in Google Calendar, Outlook, Apple Calendar and others."
      footer={
        exists ? (
          <>
            <Button icon={<Link2Off aria-hidden />} className="mr-auto" onClick={() => setAsking("revoke")}>
              Revoke link
            </Button>
            <Button icon={<RefreshCw aria-hidden />} onClick={() => setAsking("replace")}>
              Replace link
            </Button>
          </>
        ) : (
          <Button variant="ink" busy={create.isPending} disabled={!link} onClick={() => void make()}>
            Create link
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {url && <ShownOnce url={url} />}
        <ReadStates
          read={read}
          failed="We couldn't load your calendar link"
          skeleton={<SkeletonRows rows={2} className="h-10" />}
        >
          {({ createdAt, lastReadAt }) => (
            <p className="text-sm text-ink-2">
              {createdAt ? (
                <>
                  Created <When at={createdAt} as="full" />.{" "}
                  {lastReadAt ? (
                    <>
                      A calendar app last read it <When at={lastReadAt} as="ago" />.
                    </>
                  ) : (
                    "No calendar app has read it yet."
                  )}
                  {!url && " The link itself was shown when you created it. If it is lost, replace it."}
                </>
              ) : (
                "You have no link yet. Create one and add it to your calendar app as a subscription."
              )}
            </p>
          )}
        </ReadStates>
        <p className="text-sm text-ink-2">
          Anyone with the link can see the names and times of your schedules, so please don't share it. You
          can revoke it at any time, and a new password revokes it, too.
        </p>
      </div>
      <Confirm
        open={asking !== undefined}
        onOpenChange={(open) => {
          if (!open) setAsking(undefined);
        }}
        title={asking === "revoke" ? "Revoke your calendar link?" : "Replace your calendar link?"}
        description="Calendar apps that use the current link stop getting updates."
        confirmLabel={asking === "revoke" ? "Revoke link" : "Replace link"}
        danger={asking === "revoke"}
        busy={create.isPending || remove.isPending}
        onConfirm={() => void (asking === "revoke" ? revoke() : make())}
      />
    </Dialog>
  );
}

function ShownOnce({ url }: { url: string }) {
  return (
    <Field label="Your link" hint="Copy it now. We show it only once.">
      {(wiring) => (
        <div className="flex gap-2">
          <Input {...wiring} readOnly value={url} onFocus={(event) => event.target.select()} />
          <Button icon={<Copy aria-hidden />} onClick={() => void copyText("Calendar link", url)}>
            Copy
          </Button>
        </div>
      )}
    </Field>
  );
}
