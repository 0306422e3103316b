import { cx } from "#web/ui/class-names.ts";

/** Stands wherever a number or a message comes from the Sandbox: nothing left the house. */
export function Simulated({ className }: { className?: string }) {
  return (
    <span
      title="Delivered into the Sandbox; nobody outside got it"
      className={cx(
        "rounded-[4px] border border-dashed border-lamp px-1 text-[0.6875rem] leading-4 font-semibold tracking-wide whitespace-nowrap text-lamp-ink",
        className,
      )}
    >
      SIMULATED
    </span>
  );
}
