import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sample, type SampleRemoval } from "#contract/calls/sample.ts";
import { reasonWithoutStatus } from "#web/api/reason-of.ts";
import { useRead } from "#web/api/use-read.ts";
import { useWrite } from "#web/api/use-write.ts";
import { counted } from "#contract/text/count-text.ts";
import { numberText } from "#contract/text/locale.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

/** Loads the sample property. Afterwards everything on screen is read again. */
export function LoadSampleButton() {
  const client = useQueryClient();
  const load = useWrite(sample.load);
  return (
    <Button
      size="sm"
      busy={load.isPending}
      onClick={() =>
        load.mutate(
          {},
          {
            onSuccess: () => {
              toast({
                title: "Sample property loaded",
                description: "All its people and messages are invented.",
              });
              void client.invalidateQueries();
            },
            onError: (error) =>
              toast({
                variant: "destructive",
                title: "Error loading the sample property",
                description: reasonWithoutStatus(error),
              }),
          },
        )
      }
    >
      Load sample property
    </Button>
  );
}

/** Removes it, after saying what goes and what stays. */
export function RemoveSampleButton() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)}>
        Remove sample property
      </Button>
      {asking && <RemoveSample onClose={() => setAsking(false)} />}
    </>
  );
}

function RemoveSample({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const { data, error } = useRead(sample.read, {}, { fresh: true });
  const remove = useWrite(sample.remove);
  const loaded = data?.loaded;
  return (
    <Confirm
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Remove the sample property?"
      description={
        loaded ? <Consequences {...loaded} /> : (error?.message ?? "Counting what would be removed…")
      }
      confirmLabel="Remove sample property"
      confirmable={Boolean(loaded)}
      danger
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutate(
          {},
          {
            onSuccess: () => {
              toast({
                title: "Sample property removed",
                description: "What you made yourself is still here.",
              });
              onClose();
              void client.invalidateQueries();
            },
            onError: (failure) =>
              toast({
                variant: "destructive",
                title: "Error removing the sample property",
                description: reasonWithoutStatus(failure),
              }),
          },
        )
      }
    />
  );
}

function Consequences(removal: SampleRemoval) {
  const { tenants, staff, groups, templates, schedules, notifications, ownNotifications, usedTemplates } =
    removal;
  return (
    <div className="flex flex-col gap-3">
      <p>
        <strong className="font-semibold text-ink">Removed:</strong> {counted(tenants, "tenant")} and{" "}
        {numberText(staff)} staff, {counted(groups, "group")}, {counted(templates, "template")},{" "}
        {counted(schedules, "schedule")} and {counted(notifications, "notification")}, with everything you
        changed in them. This can't be undone.
      </p>
      <p>
        <strong className="font-semibold text-ink">Kept:</strong> what you made yourself, every notification
        to people of your own, your settings and the audit log.
        {ownNotifications > 0 &&
          ` That includes ${counted(ownNotifications, "notification")} that went to sample people, who stay named there as deleted people.`}
        {usedTemplates > 0 && ` It also includes ${counted(usedTemplates, "sample template")} that you used.`}{" "}
        Scheduled messages of yours go on without the sample's people and groups, or wait for new recipients.
      </p>
    </div>
  );
}
