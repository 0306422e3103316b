import { Link, type LinkProps } from "@tanstack/react-router";
import { Fragment } from "react";
import type { CurrentUser } from "#contract/calls/auth.ts";
import type { User } from "#contract/calls/users.ts";
import { PreferenceTiles } from "#web/features/users/preference-tiles.tsx";
import { RowMenu, type PersonAction } from "#web/features/users/row-menu.tsx";
import { Avatar, personName } from "#web/domain/avatar.tsx";
import { rowLink, type Column } from "#web/ui/list/data-table.tsx";
import { nationalPhone } from "#web/domain/phone-number.ts";
import { RoleBadge, roleLook } from "#web/domain/role-badge.tsx";

type Options = {
  actor: CurrentUser;
  /** The search parameters that open this person's details. */
  link: (person: User) => Pick<LinkProps, "search"> & { "aria-current"?: "true" };
  onAction: (action: PersonAction, person: User) => void;
};

export function userColumns({ actor, link, onAction }: Options): Column<User>[] {
  return [
    {
      id: "user",
      header: "User",
      card: "title",
      className: "rows:w-[22%] rows:snug:w-[21%]",
      cell: (person) => (
        <span className="flex items-center gap-3">
          <span className="flex rows:snug:hidden">
            <Avatar person={person} />
          </span>
          <span className="min-w-0 flex-1">
            <span className="flex items-center justify-between gap-2">
              <Link to="." resetScroll={false} {...rowLink} {...link(person)} data-person={person.id}>
                <bdi translate="no" className="break-words">
                  {personName(person)}
                </bdi>
              </Link>
              <span className="rows:hidden">
                <PreferenceTiles person={person} small />
              </span>
            </span>
            <span className="block truncate text-ink-3 cards:hidden">
              <bdi translate="no">{person.username}</bdi>
              {person.id === actor.id && " · you"}
            </span>
            <Summary person={person} isYou={person.id === actor.id} />
          </span>
        </span>
      ),
    },
    {
      id: "contact",
      header: "Contact",
      card: "none",
      cell: (person) => <ContactCell person={person} />,
    },
    {
      id: "role",
      header: "Role",
      card: "none",
      className: "rows:w-37 rows:snug:w-32 rows:snug:[&_svg]:hidden",
      cell: (person) => <RoleBadge role={person.role} />,
    },
    {
      id: "home",
      header: "Property/Unit",
      card: "none",
      className: "rows:w-[17%] rows:snug:w-[15%]",
      cell: (person) => <HomeCell person={person} />,
    },
    {
      id: "preferences",
      header: "Notification Preferences",
      card: "none",
      className: "rows:w-49 rows:snug:w-30",
      cell: (person) => <PreferenceTiles person={person} />,
    },
    {
      id: "actions",
      header: "Actions",
      card: "menu",
      className: "rows:w-20 rows:snug:w-18 rows:text-right",
      cell: (person) => <RowMenu person={person} actor={actor} onAction={onAction} />,
    },
  ];
}

/** What a card's second line says of a person. A username is often their email address, which is said once. */
export function cardParts({ username, email, phone, propertyUnit, standing }: User): string[] {
  const home = [propertyUnit, propertyUnit && standingText[standing]].filter(Boolean).join(", ");
  const parts = [home || null, email, phone && nationalPhone(phone), username];
  return [...new Set(parts.filter((part) => part !== null))];
}

/** All of it on a card's second line, as far as it goes. The panel that the card opens has the rest. */
function Summary({ person, isYou }: { person: User; isYou: boolean }) {
  return (
    <span className="block truncate text-ink-3 rows:hidden">
      {isYou && "You · "}
      {cardParts(person).map((part, index) => (
        <Fragment key={part}>
          {index > 0 && " · "}
          <bdi translate="no">{part}</bdi>
        </Fragment>
      ))}
      {` · ${roleLook[person.role].label}`}
    </span>
  );
}

function ContactCell({ person: { email, phone } }: { person: User }) {
  if (!email && !phone) return <Nothing words="No email or phone" />;
  return (
    <span className="flex flex-col">
      {email ? (
        <span className="line-clamp-2 wrap-anywhere" title={email}>
          <Email address={email} />
        </span>
      ) : (
        <Nothing words="No email" />
      )}
      {phone ? (
        <span className="whitespace-nowrap text-ink-2">{nationalPhone(phone)}</span>
      ) : (
        <span className="text-ink-3">No phone</span>
      )}
    </span>
  );
}

/** Too long for its column, it breaks at the @. */
function Email({ address }: { address: string }) {
  const at = address.lastIndexOf("@");
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  );
}

/** Said only of those who don't live in their home today. */
export const standingText = { past: "moved out", now: null, future: "moves in later" } as const;

function HomeCell({ person: { propertyUnit, property, unit, standing } }: { person: User }) {
  if (!propertyUnit) return <Nothing words="–" />;
  // If recognized, the property with the unit below it. Otherwise as it was entered.
  return (
    <span className="flex flex-col" title={propertyUnit}>
      <bdi translate="no" className="break-words">
        {property && unit ? property : propertyUnit}
      </bdi>
      {property && unit && (
        <span className="text-ink-2">
          Unit <bdi translate="no">{unit}</bdi>
        </span>
      )}
      {standingText[standing] && <span className="text-ink-3">{standingText[standing]}</span>}
    </span>
  );
}

function Nothing({ words }: { words: string }) {
  return (
    <span data-nothing className="text-ink-3">
      {words}
    </span>
  );
}
