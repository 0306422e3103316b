import { Archive } from "lucide-react";
import { type Archived, isDiscarded, monthText } from "#contract/calls/archive.ts";
import { Card } from "#web/ui/page/card.tsx";
import { When } from "#web/ui/time/when.tsx";

/** In place of the people: where they are and how to prove that they haven't been altered, or that they are gone. */
export function ArchivedCard({ archive }: { archive: Archived }) {
  const { month, at, sha256 } = archive;
  const discarded = isDiscarded(archive);
  return (
    <Card aria-labelledby="people" className="min-w-0 p-4 md:p-5">
      <h2 id="people" className="flex items-center gap-2.5 text-base font-semibold">
        <Archive aria-hidden className="size-4 shrink-0 text-ink-3" />
        Delivery details {at === null ? "are being archived" : discarded ? "were discarded" : "are archived"}
      </h2>
      <div className="mt-2 flex flex-col gap-2 text-sm text-ink-2">
        <p>
          {at === null ? (
            <>
              The list of recipients and every attempt are moving to files on the server, with the rest of{" "}
              {monthText(month)}.
            </>
          ) : (
            <>
              On <When at={at} as="full" />, the list of recipients and every attempt moved to files on the
              server, with the rest of {monthText(month)}.
            </>
          )}{" "}
          {discarded && "Those files have since been deleted, so the details can't be restored. "}
          The figures above and the message stay here and are complete. Nothing can be retried.
        </p>
        {sha256 && (
          <>
            <p>Your server's administrator can restore them, and check the files against this manifest.</p>
            <p>
              Archive {month}, SHA-256 of its manifest:{" "}
              <code translate="no" className="font-mono text-[0.8125rem] break-all">
                {sha256}
              </code>
            </p>
          </>
        )}
      </div>
    </Card>
  );
}
