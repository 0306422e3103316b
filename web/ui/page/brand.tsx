import { cx } from "#web/ui/browser/class-names.ts";

type LogoProps = {
  /** A data URL; "" without a logo. */
  src: string;
  className?: string;
};

/** The company's logo in its full size, or a box that says that there is none. */
export function CompanyLogo({ src, className }: LogoProps) {
  const box = "size-[150px] shrink-0 rounded-lg";
  return src ? (
    <img
      src={src}
      alt="Company logo"
      width={150}
      height={150}
      className={cx(box, "object-contain", className)}
    />
  ) : (
    <p
      className={cx(
        box,
        "grid place-items-center border border-dashed border-line-strong px-4 text-center text-sm text-ink-3",
      )}
    >
      No logo uploaded
    </p>
  );
}

/** The lamp and its light. */
export function LampMark({ className }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={cx("size-7", className)} fill="none">
      <path d="M9.4 16.5h13.2L28 29H4z" className="fill-lamp opacity-35" />
      <path
        d="M16 2.5v3.8M11.6 6.3h8.8L24 15.6H8z"
        stroke="currentColor"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="M12.4 17.2a3.6 3.6 0 0 0 7.2 0z" className="fill-lamp" />
    </svg>
  );
}

/** The icon for a company without a logo: a shield with a lamp. */
export function ShieldMark({ className }: { className?: string }) {
  return (
    <svg aria-hidden data-icon="shield" viewBox="0 0 40 40" className={cx("size-10", className)} fill="none">
      <path
        d="M20 3.5 33.5 8v11.2c0 8.2-5.4 14-13.5 17.3C11.9 33.2 6.5 27.4 6.5 19.200V8z"
        className="fill-lamp-soft"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <path d="M16.6 19.500h6.800l3.4 7.500H13.200z" className="fill-lamp opacity-45" />
      <path
        d="M20 10.500v2.200M17.4 12.700h5.200l2.2 6H15.200z"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="M17.9 20a2.1 2.1 0 0 0 4.2 0z" className="fill-lamp" />
    </svg>
  );
}
