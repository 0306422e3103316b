import { useState } from "react";
import { people } from "#contract/text/count-text.ts";
import { numberText } from "#contract/text/locale.ts";
import type { Sheet } from "#web/features/csv/sheet/use-sheet.ts";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { Button } from "#web/ui/page/button.tsx";

type Props = { sheet: Sheet; number: number; movedOut: number; done: boolean };

/** Begins the import, after asking once more if many people of a property move out. */
export function ImportButton({ sheet, number, movedOut, done }: Props) {
  const { leaving, checking } = sheet;
  const [asking, setAsking] = useState(false);
  const { over } = leaving;
  return (
    <>
      <Button
        variant="ink"
        busy={checking?.state === "running" || sheet.saving}
        disabled={!done || number + movedOut === 0 || (leaving.chosen.length > 0 && leaving.lastDay === "")}
        onClick={() => (over.length > 0 ? setAsking(true) : void sheet.run())}
      >
        {number === 0 && movedOut > 0 ? `Move ${people(movedOut)} out` : `Import ${people(number)}`}
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Do this many people move out?"
        description={
          <div className="flex flex-col gap-2">
            {over.map(({ id, name, people: all, leaving: leave }) => (
              <p key={id}>
                {numberText(leave)} of {people(all)} at <bdi className="font-medium text-ink">{name}</bdi>
              </p>
            ))}
            <p>That is more than usual. A file that was filtered or cut off looks the same.</p>
          </div>
        }
        confirmLabel={`Import and move out ${people(leaving.people)}`}
        danger
        typed={over.reduce((all, { leaving: leave }) => all + leave, 0)}
        onConfirm={() => {
          setAsking(false);
          void sheet.run();
        }}
      />
    </>
  );
}
