import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { details } from "#contract/calls/details.ts";
import { people } from "#contract/text/count-text.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { useRead } from "#web/api/use-read.ts";
import { AddDetail } from "#web/features/users/details/add-detail.tsx";
import { DeleteDetail } from "#web/features/users/details/delete-detail.tsx";
import { kindLabels } from "#web/features/users/details/kinds.ts";
import { RenameDetail } from "#web/features/users/details/rename-detail.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { Button } from "#web/ui/page/button.tsx";

export type DetailsDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };
export type KeptDetail = ReplyOf<typeof details.list>[number];

/** What is kept of each person beside the written columns. Loaded through launcher.ts. */
export default function DetailsDialog({ open, onOpenChange }: DetailsDialogProps) {
  const read = useRead(details.list, {}, { fresh: true });
  const [renaming, setRenaming] = useState<number>();
  const [deleting, setDeleting] = useState<KeptDetail>();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Details"
      description="A balance, a storage number, a meter reading: filled in for each person, and written in messages."
    >
      <div className="flex flex-col gap-5">
        <ReadStates
          read={read}
          failed="Error loading details"
          skeleton={<Skeleton className="h-24 rounded-md" />}
        >
          {(list) =>
            list.length > 0 && (
              <ul aria-label="Details" className="divide-y divide-line rounded-md border border-line">
                {list.map((detail) => (
                  <li key={detail.id} className="flex min-h-14 items-center gap-3 px-3.5 py-2.5 text-sm">
                    {renaming === detail.id ? (
                      <RenameDetail detail={detail} onClose={() => setRenaming(undefined)} />
                    ) : (
                      <>
                        <span className="min-w-0 flex-1">
                          <span className="block font-semibold break-words">
                            <bdi translate="no">{detail.label}</bdi>
                          </span>
                          <span className="block break-words text-ink-2">
                            {kindLabels[detail.kind]} · <code translate="no">{`{{${detail.field}}}`}</code> ·{" "}
                            {detail.people === 0 ? "no one has it" : people(detail.people)}
                          </span>
                        </span>
                        <Button
                          size="icon"
                          variant="ghost"
                          aria-label={`Rename ${detail.label}`}
                          icon={<Pencil aria-hidden />}
                          onClick={() => setRenaming(detail.id)}
                        />
                        <Button
                          size="icon"
                          variant="ghost"
                          aria-label={`Delete ${detail.label}`}
                          icon={<Trash2 aria-hidden />}
                          onClick={() => setDeleting(detail)}
                        />
                      </>
                    )}
                  </li>
                ))}
              </ul>
            )
          }
        </ReadStates>
        <AddDetail />
      </div>
      {deleting && <DeleteDetail detail={deleting} onClose={() => setDeleting(undefined)} />}
    </Dialog>
  );
}
