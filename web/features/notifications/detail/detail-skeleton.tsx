import { BackLink } from "#web/features/notifications/detail/detail-header.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";

/** The page's layout while its notification loads. */
export function DetailSkeleton() {
  return (
    <>
      <output className="sr-only">Loading...</output>
      <div className="flex flex-col gap-4 pb-6">
        <BackLink />
        <Skeleton className="h-8 w-72 max-w-full" />
        <div className="flex gap-2">
          <Skeleton className="h-6.5 w-18" />
          <Skeleton className="h-6.5 w-24" />
          <Skeleton className="h-6.5 w-56" />
        </div>
      </div>
      <div aria-hidden className="flex flex-col gap-5">
        <Card className="grid grid-cols-2 gap-6 p-5 sm:grid-cols-3 lg:grid-cols-5">
          {[0, 1, 2, 3, 4].map((stat) => (
            <div key={stat}>
              <Skeleton className="h-4 w-16" />
              <Skeleton className="mt-2 h-7 w-20" />
            </div>
          ))}
          <Skeleton className="col-span-full h-2.5" />
        </Card>
        <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem] min-[90rem]:grid-cols-[minmax(0,1fr)_25rem]">
          <Card className="flex flex-col gap-4 p-5">
            <Skeleton className="h-5 w-40" />
            {[0, 1, 2, 3, 4].map((row) => (
              <Skeleton key={row} className="h-10" />
            ))}
          </Card>
          <Card className="flex flex-col gap-4 p-5">
            <Skeleton className="h-5 w-24" />
            <Skeleton className="h-24" />
          </Card>
        </div>
      </div>
    </>
  );
}
