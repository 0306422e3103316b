import { When } from "#web/ui/time/when.tsx";

/** The current time between the runs of a list. */
export function NowLine({ at }: { at: string }) {
  return (
    <li className="flex items-center gap-2 text-[0.8125rem] font-semibold text-lamp-ink">
      <span aria-hidden className="size-2 rounded-full bg-lamp" />
      <span aria-hidden className="-ml-2 h-px flex-1 bg-lamp" />
      <span>
        Now, <When at={at} as="clock" />
      </span>
    </li>
  );
}
