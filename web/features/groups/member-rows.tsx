import type { ReactNode } from "react";
import { isolated } from "#contract/text/isolate.ts";
import type { User } from "#contract/calls/users.ts";
import { Avatar } from "#web/domain/avatar.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { nationalPhone } from "#web/domain/phone-number.ts";

/** One line under a person's name: where they live and how they are reached. */
export function memberDetail({ propertyUnit, email, phone }: User): string {
  return [propertyUnit && isolated(propertyUnit), email ?? (phone && nationalPhone(phone))]
    .filter(Boolean)
    .join(" · ");
}

/** People in a group, one line each; children are MemberRows. `stale`: another page is loading. */
export function MemberList({ stale, children }: { stale: boolean; children: ReactNode }) {
  return (
    <ul
      aria-busy={stale || undefined}
      className={cx("divide-y divide-line rounded-md border border-line", stale && "cursor-progress")}
    >
      {children}
    </ul>
  );
}

type Props = {
  person: User;
  name: ReactNode;
  /** Actions at the end of the line. */
  children?: ReactNode;
};

export function MemberRow({ person, name, children }: Props) {
  return (
    <li className="relative flex min-h-14 items-center gap-3 px-3 py-2 text-sm">
      <Avatar person={person} />
      <span className="min-w-0 flex-1">
        {name}
        <span className="block truncate text-ink-2">{memberDetail(person)}</span>
      </span>
      {children}
    </li>
  );
}
