import { cx } from "#web/ui/class-names.ts";

/** Stands wherever a number or a message comes from the Sandbox: nothing left the house. */
export function Simulated({
  bare,
}: {
  /** Without a frame, where a row has no room for one. */ bare?: boolean;
}) {
  return (
    <span
      title="Delivered into the Sandbox; nobody outside got it"
      className={cx(
        "text-[0.6875rem] leading-3.5 font-semibold tracking-wide whitespace-nowrap text-lamp-ink",
        !bare && "rounded-[4px] border border-dashed border-lamp px-1 py-px",
      )}
    >
      SIMULATED
    </span>
  );
}
