import { Link } from "@tanstack/react-router";
import { Undo2 } from "lucide-react";
import { places } from "#contract/calls/places.ts";
import { users } from "#contract/calls/users.ts";
import { residencyRoleText, standingOn } from "#contract/homes.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useRead } from "#web/api/use-read.ts";
import { useWrite } from "#web/api/use-write.ts";
import { PanelSection } from "#web/features/users/person/panel-section.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { Button } from "#web/ui/page/button.tsx";

/** Where someone lives, lived and will, and undoing their last move. Nothing for someone without a home. */
export function PersonHomes({ personId }: { personId: number }) {
  const { data } = useRead(places.ofPerson, { params: { id: personId } }, { fresh: true });
  const { mutateAsync, isPending } = useWrite(places.undoMove, {
    refreshes: [places.ofPerson, places.home, places.property, places.list, users.detail, users.list],
  });
  if (!data || data.homes.length === 0) return null;
  const undo = async () => {
    try {
      const { message } = await mutateAsync({ params: { id: personId } });
      toast({ title: "Move undone", description: message });
    } catch (error) {
      toast({ title: "Not undone", description: reasonOf(error), variant: "destructive" });
    }
  };
  return (
    <PanelSection title="Homes">
      <ul className="flex flex-col gap-2 text-sm">
        {data.homes.map((one) => (
          <li key={one.id} className="flex flex-col">
            <Link
              to="/properties/$id"
              params={{ id: String(one.propertyId) }}
              search={{ home: one.homeId }}
              className="w-fit font-medium underline underline-offset-2 touch:min-h-11 touch:content-center"
            >
              <bdi translate="no">{[one.property, one.home].filter(Boolean).join(" ")}</bdi>
            </Link>
            <span className="text-ink-2">
              {[
                residencyRoleText[one.role],
                { past: "lived here", now: "lives here", future: "will live here" }[
                  standingOn(data.today, one)
                ],
                one.firstDay && `from ${dayText(one.firstDay)}`,
                one.lastDay && `until ${dayText(one.lastDay)}`,
                one.leaseEnds && `lease until ${dayText(one.leaseEnds)}`,
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </li>
        ))}
      </ul>
      {data.undoable && (
        <Button
          size="sm"
          className="w-fit"
          icon={<Undo2 aria-hidden />}
          busy={isPending}
          onClick={() => void undo()}
        >
          Undo the last move
        </Button>
      )}
    </PanelSection>
  );
}
