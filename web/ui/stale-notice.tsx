import { useEffect, useRef } from "react";
import { Button } from "#web/ui/button.tsx";

type Props = {
  /** "this notification" */
  what: string;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
};

/** Two people edited the same: says so, keeps what was typed, and lets its author decide. */
export function StaleNotice({ what, onTakeTheirs, onKeepMine }: Props) {
  const place = useRef<HTMLDivElement>(null);
  // Saving is pressed far below it.
  useEffect(() => {
    place.current?.scrollIntoView({ block: "end" });
  }, []);
  return (
    <div
      ref={place}
      role="alert"
      className="flex flex-col gap-3 rounded-md bg-warn-soft px-4 py-3 text-sm text-warn"
    >
      <p>
        <strong className="font-semibold">Somebody else changed {what} meanwhile.</strong> What you typed is
        still here and nothing was saved.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={onKeepMine}>
          Keep mine
        </Button>
        <Button size="sm" onClick={onTakeTheirs}>
          Load the other version
        </Button>
      </div>
      <p>With “Keep mine”, saving writes over the other version.</p>
    </div>
  );
}
