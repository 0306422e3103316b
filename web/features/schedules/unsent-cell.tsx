import { ChannelIcons } from "#web/domain/channel.tsx";
import {
  UnsentActionsCell,
  UnsentStatusCell,
  UnsentTimeCell,
  UnsentTitleCell,
  type UnsentActions,
} from "#web/domain/unsent/unsent-cells.tsx";
import type { Unsent } from "#web/domain/unsent/unsent.ts";

type Props = UnsentActions & {
  /** A column of the list of schedules. */
  column: string;
  unsent: Unsent;
};

/** A cell of a schedule that so far exists only in this browser. */
export function UnsentScheduleCell({ column, unsent, ...actions }: Props) {
  switch (column) {
    case "channels":
      return <ChannelIcons channels={unsent.channels} className="size-6.5! [&_svg]:size-3.5" />;
    case "schedule":
      return (
        <>
          <UnsentTitleCell unsent={unsent} />
          <span className="mt-1 block">
            <UnsentStatusCell unsent={unsent} />
          </span>
        </>
      );
    case "next":
      return <UnsentTimeCell unsent={unsent} />;
    case "recipients":
      return <bdi className="line-clamp-2 break-words">{unsent.recipients}</bdi>;
    case "actions":
      return <UnsentActionsCell unsent={unsent} {...actions} />;
    default:
      return null;
  }
}
