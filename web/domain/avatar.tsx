import { fullName } from "#contract/text/full-name.ts";
import { graphemes } from "#contract/text/locale.ts";
import { cx } from "#web/ui/browser/class-names.ts";

type AvatarPerson = { firstName: string; lastName: string; role: string };

type Props = { person: AvatarPerson | undefined; loading?: boolean; className?: string };

const roleFill = new Map([
  ["admin", "bg-role-admin text-white"],
  ["staff", "bg-role-staff text-white"],
]);

export function initials(person: AvatarPerson | undefined): string {
  if (!person) return "??";
  return (
    [person.firstName, person.lastName]
      .map((name) => firstLetter(name))
      .join("")
      .toUpperCase() || "??"
  );
}

function firstLetter(name: string): string {
  const text = name.trim();
  // Making a segmenter takes 20 ms of a phone's time, and most names don't need one.
  if (/^[a-z]([ -~]|$)/i.test(text)) return text.charAt(0);
  // The first character may take several code units, or have a separate accent.
  return graphemes().segment(text).containing(0)?.segment ?? "";
}

/** Initials on the role's color. Decorative: the name is next to it or in the control around it. */
export function Avatar({ person, loading, className }: Props) {
  const fill = loading
    ? "animate-pulse bg-quiet-soft text-quiet"
    : (roleFill.get(person?.role ?? "") ?? "bg-ink text-on-ink");
  return (
    <span
      aria-hidden
      className={cx(
        "inline-grid size-8 shrink-0 place-items-center rounded-full text-xs font-semibold tracking-wide select-none",
        fill,
        className,
      )}
    >
      {loading ? "..." : initials(person)}
    </span>
  );
}

/** The name next to an avatar. */
export function personName(person: AvatarPerson | undefined, loading?: boolean): string {
  if (loading) return "Loading...";
  return person ? fullName(person) : "Guest";
}
