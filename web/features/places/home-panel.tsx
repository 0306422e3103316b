import { useState } from "react";
import { Plus } from "lucide-react";
import { type HomeDetail, places, type ResidencyRow } from "#contract/calls/places.ts";
import { lives, type Standing, standingOn } from "#contract/homes.ts";
import { useRead } from "#web/api/use-read.ts";
import { WriteLink } from "#web/domain/write-link.tsx";
import { HomeNotices, type Outcome } from "#web/features/places/home-notices.tsx";
import { homeName, whereText } from "#web/features/places/home-text.ts";
import { ResidencyDialog } from "#web/features/places/launcher.ts";
import { Resident } from "#web/features/places/resident.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { SkeletonRows } from "#web/ui/feedback/skeleton.tsx";
import { Button, buttonClass } from "#web/ui/page/button.tsx";

type Props = { homeId: number; Outcome: Outcome; onClose: () => void };

/** One home: who lives there, will and did, and what went to it. */
export function HomePanel({ homeId, Outcome, onClose }: Props) {
  const read = useRead(places.home, { params: { id: homeId } }, { fresh: true });
  const [entering, setEntering] = useState(false);
  const home = read.data;
  return (
    <Dialog
      side
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={home ? <bdi translate="no">{`Home ${homeName(home.name)}`}</bdi> : "Home"}
      description={home && whereText(home)}
      footer={
        home && (
          <>
            <Button icon={<Plus aria-hidden />} onClick={() => setEntering(true)}>
              Move in
            </Button>
            {home.people.length > 0 && (
              <WriteLink
                write={`homes:${home.propertyId}`}
                units={[home.id]}
                className={buttonClass({ variant: "ink" })}
              >
                Message this home
              </WriteLink>
            )}
          </>
        )
      }
    >
      <ReadStates
        read={read}
        failed="Error loading this home"
        missing={<EmptyState title="This home no longer exists" hint="It was merged with another one." />}
        skeleton={<SkeletonRows rows={4} className="h-12" />}
      >
        {(found) => <Residents home={found} Outcome={Outcome} />}
      </ReadStates>
      {home && <ResidencyDialog open={entering} onOpenChange={setEntering} home={home} />}
    </Dialog>
  );
}

const sections: readonly { standing: Standing; title: string }[] = [
  { standing: "now", title: "Residents" },
  { standing: "future", title: "Next residents" },
  { standing: "past", title: "Lived here before" },
];

function Residents({ home, Outcome }: { home: HomeDetail; Outcome: Outcome }) {
  const { residents, today } = home;
  const living = residents.filter(({ role }) => lives(role));
  const others = residents.filter(({ role }) => !lives(role));
  return (
    <div className="flex flex-col gap-7">
      {sections.map(({ standing, title }) => (
        <Section
          key={standing}
          title={title}
          home={home}
          list={living.filter((one) => standingOn(today, one) === standing)}
          none={standing === "now" ? "No one lives here now." : undefined}
        />
      ))}
      <Section title="Owners, guarantors and contacts" home={home} list={others} />
      <HomeNotices home={home} Outcome={Outcome} />
    </div>
  );
}

type SectionProps = {
  title: string;
  home: HomeDetail;
  list: readonly ResidencyRow[];
  none?: string | undefined;
};

function Section({ title, home, list, none }: SectionProps) {
  if (list.length === 0 && none === undefined) return null;
  return (
    <section className="flex flex-col gap-1">
      <h3 className="text-sm font-semibold">{title}</h3>
      {list.length === 0 ? (
        <p className="text-ink-2">{none}</p>
      ) : (
        <ul className="flex flex-col">
          {list.map((one) => (
            <Resident key={one.id} home={home} resident={one} />
          ))}
        </ul>
      )}
    </section>
  );
}
