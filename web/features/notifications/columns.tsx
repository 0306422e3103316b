import type { NotificationRow } from "#contract/calls/notifications.ts";
import {
  ActionsCell,
  RecipientsCell,
  SentCell,
  StatusCell,
  TitleCell,
} from "#web/features/notifications/row-cells.tsx";
import {
  UnsentActionsCell,
  UnsentStatusCell,
  UnsentTimeCell,
  UnsentTitleCell,
  type UnsentActions,
} from "#web/domain/unsent/unsent-cells.tsx";
import { isUnsent, type Unsent } from "#web/domain/unsent/unsent.ts";
import { ChannelIcons } from "#web/domain/channel.tsx";
import type { Column } from "#web/ui/list/data-table.tsx";

/** A row from the server, or one that only this browser has. */
export type ListRow = NotificationRow | Unsent;

/** The two kinds of ids overlap, so a key includes the kind. */
export function rowKey(row: ListRow): string {
  return isUnsent(row) ? `local-${row.clientKey}` : String(row.id);
}

type Options = {
  /** "Sent/Scheduled" in the list, "Sent" on the dashboard. */
  timeHeader: string;
  /** Cancels a run or deletes a draft, after asking. */
  onEnd: (row: NotificationRow) => void;
  /** How many people an unsent row is for, by its id. */
  planned: ReadonlyMap<number, number>;
  unsent: UnsentActions;
};

export function notificationColumns({ timeHeader, onEnd, planned, unsent }: Options): Column<ListRow>[] {
  return [
    {
      id: "type",
      header: "Type",
      card: "icon",
      // Where there is room, all three stand side by side, so that rows are equally high.
      className: "rows:w-34 rows:snug:w-21 cards:empty:mr-0",
      cell: (row) => <ChannelIcons channels={row.channels} className="rows:snug:size-6" />,
    },
    {
      id: "title",
      header: "Title",
      card: "title",
      cell: (row) => (isUnsent(row) ? <UnsentTitleCell unsent={row} /> : <TitleCell row={row} />),
    },
    {
      id: "recipients",
      header: "Recipients",
      card: "detail",
      className: "rows:w-[20%] rows:snug:w-[17%]",
      cell: (row) =>
        isUnsent(row) ? (
          <bdi dir="ltr" translate="no">
            {row.recipients}
          </bdi>
        ) : (
          <RecipientsCell row={row} planned={planned.get(row.id)} />
        ),
    },
    {
      id: "status",
      header: "Status",
      card: "start",
      className: "rows:w-42 rows:snug:w-40",
      cell: (row) => (isUnsent(row) ? <UnsentStatusCell unsent={row} /> : <StatusCell row={row} />),
    },
    {
      id: "sent",
      header: timeHeader,
      card: "end",
      className: "rows:w-45 rows:snug:w-27 text-balance",
      cell: (row) => (isUnsent(row) ? <UnsentTimeCell unsent={row} /> : <SentCell row={row} />),
    },
    {
      id: "actions",
      header: "Actions",
      card: "wide",
      // A card without actions has no empty line at its end.
      className: "rows:w-34 rows:snug:w-19 rows:text-right cards:not-has-data-on-card:hidden",
      cell: (row) =>
        isUnsent(row) ? (
          <UnsentActionsCell unsent={row} {...unsent} />
        ) : (
          <ActionsCell row={row} onEnd={onEnd} />
        ),
    },
  ];
}
