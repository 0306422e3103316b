import { useWatch } from "react-hook-form";
import { people } from "#web/features/compose/reach-words.ts";
import type { Compose } from "#web/features/compose/use-compose.ts";
import { Confirm } from "#web/ui/confirm.tsx";

/** Before it goes to very many, their number is typed: nobody writes to a whole town by accident, or unseen. */
export function ConfirmMany({ compose }: { compose: Compose }) {
  const { form, asking, confirm, unask, sending } = compose;
  const [title, schedule] = useWatch({ control: form.control, name: ["title", "schedule"] });
  if (asking === null) return null;
  const verb = schedule === "immediate" ? "Send" : "Schedule";
  const shared = {
    open: true,
    onOpenChange: (open: boolean) => {
      if (!open) unask();
    },
    busy: sending,
    onConfirm: confirm,
  };
  if (asking === "unknown") {
    return (
      <Confirm
        {...shared}
        title={`${verb} without knowing to how many?`}
        description={`How many people it reaches cannot be counted. ${verb} all the same?`}
        confirmLabel={`${verb} all the same`}
      />
    );
  }
  return (
    <Confirm
      {...shared}
      title={`${verb} to ${people(asking)}?`}
      description={
        <>
          “<bdi>{title.trim()}</bdi>” goes to very many people. What has gone out cannot be called back.
        </>
      }
      confirmLabel={`${verb} to ${people(asking)}`}
      typed={{ label: `Type ${asking} to go on`, expected: String(asking) }}
    />
  );
}
