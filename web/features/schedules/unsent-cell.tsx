import { ChannelIcons } from "#web/domain/channel.tsx";
import {
  UnsentActionsCell,
  UnsentStatusCell,
  UnsentTimeCell,
  UnsentTitleCell,
  type UnsentActions,
} from "#web/domain/unsent/unsent-cells.tsx";
import type { Schedule } from "#contract/calls/schedule-replies.ts";
import { isUnsent, type Unsent } from "#web/domain/unsent/unsent.ts";
import type { Column } from "#web/ui/list/data-table.tsx";

type Props = UnsentActions & {
  /** A column of the list of schedules. */
  column: string;
  unsent: Unsent;
};

/** A cell of a schedule that so far exists only in this browser. */
function UnsentScheduleCell({ column, unsent, ...actions }: Props) {
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
      return (
        <bdi dir="ltr" translate="no" className="line-clamp-2 break-words">
          {unsent.recipients}
        </bdi>
      );
    case "actions":
      return <UnsentActionsCell unsent={unsent} {...actions} />;
    default:
      return null;
  }
}

/** The columns of the list of schedules, for the unsent ones, too. */
export const withUnsent = (
  columns: readonly Column<Schedule>[],
  actions: UnsentActions,
): Column<Schedule | Unsent>[] =>
  columns.map(({ cell, ...column }) => ({
    ...column,
    cell: (row) =>
      isUnsent(row) ? <UnsentScheduleCell column={column.id} unsent={row} {...actions} /> : cell(row),
  }));
