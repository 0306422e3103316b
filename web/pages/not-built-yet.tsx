import { Hammer } from "lucide-react";
import { Card } from "#web/ui/card.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { PageHeader } from "#web/ui/page-header.tsx";

type Props = { title: string; plan: string };

/** A screen that is not built yet, and says so. */
function NotBuiltYet({ title, plan }: Props) {
  return (
    <>
      <PageHeader title={title} />
      <Card>
        <EmptyState icon={<Hammer />} title="Not built yet" hint={plan} />
      </Card>
    </>
  );
}

export function HelpPage() {
  return <NotBuiltYet title="Help" plan="Here you will find how each screen works, in plain words." />;
}
