import { Link } from "@tanstack/react-router";
import { ArrowRight, Ban, UserRound } from "lucide-react";
import { isolated } from "#contract/text/isolate.ts";
import type { AuditChange, AuditEvent, AuditPart } from "#contract/calls/audit.ts";
import { accountsSearch } from "#web/domain/account-tabs.ts";
import { Avatar } from "#web/domain/avatar.tsx";
import { roleLook } from "#web/domain/role-badge.tsx";
import { Badge } from "#web/ui/feedback/badge.tsx";
import { When } from "#web/ui/time/when.tsx";

/** One event: who did what, what that changed, when and from where. */
export function AuditEntry({ event }: { event: AuditEvent }) {
  const { actor, parts, refused, changes, note } = event;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 px-1 py-3.5 md:grid-cols-[auto_minmax(0,1fr)_auto] md:gap-x-4 md:px-4">
      <Face actor={actor} />
      <div className="min-w-0 text-sm">
        <p className="pt-1.5 wrap-anywhere">
          <strong className="font-semibold">
            <bdi translate="no">{actor.name}</bdi>
          </strong>{" "}
          {parts.map((part, place) => (
            // The parts of a sentence never move.
            // oxlint-disable-next-line react/no-array-index-key
            <Part key={place} part={part} />
          ))}
          {refused && (
            <Badge tone="bad" icon={<Ban aria-hidden />} className="ml-2">
              Refused
            </Badge>
          )}
        </p>
        <WhoExactly event={event} />
        {changes.length > 0 && (
          <ul aria-label="Changes" className="mt-2 flex flex-wrap gap-1.5">
            {changes.map((change) => (
              <Change key={change.label} change={change} />
            ))}
          </ul>
        )}
        {note && <p className="mt-1 text-ink-2 wrap-anywhere">{note}</p>}
      </div>
      <p className="col-start-2 mt-1.5 text-[0.8125rem] text-ink-3 tabular max-md:flex max-md:flex-wrap max-md:gap-x-2 md:col-start-auto md:mt-0 md:pt-1.5 md:text-right">
        <When at={event.at} as="clock" className="text-ink-2 md:block md:text-sm" />
        <span>{[event.device, event.ip].filter(Boolean).join(" · ")}</span>
      </p>
    </li>
  );
}

/** Two people may have the same name. */
function WhoExactly({ event: { actor, about } }: { event: AuditEvent }) {
  const by = actor.id !== null && [
    actor.username === null ? `User ${actor.id}` : isolated(actor.username),
    actor.role && roleLook[actor.role].label,
  ];
  const of = about.username !== null && about.id !== actor.id && `About ${isolated(about.username)}`;
  const text = [...(by || []), of].filter(Boolean).join(" · ");
  return text ? <p className="text-[0.8125rem] text-ink-3 wrap-anywhere">{text}</p> : null;
}

function Face({ actor: { id, name, role } }: Pick<AuditEvent, "actor">) {
  if (id === null) {
    return (
      <span aria-hidden className="grid size-8 place-items-center rounded-full bg-quiet-soft text-quiet">
        <UserRound className="size-4" />
      </span>
    );
  }
  const [firstName = "", ...rest] = name.split(" ");
  return <Avatar person={{ firstName, lastName: rest.at(-1) ?? "", role: role ?? "" }} />;
}

function Part({ part: { text, named, thing } }: { part: AuditPart }) {
  if (!named) return text;
  const name = <bdi translate="no">{text}</bdi>;
  return thing ? <ThingLink thing={thing}>{name}</ThingLink> : <span className="font-semibold">{name}</span>;
}

type ThingProps = { thing: NonNullable<AuditPart["thing"]>; children: React.ReactNode };

function ThingLink({ thing: { type, id, channel }, children }: ThingProps) {
  const look = "font-semibold underline decoration-line-strong underline-offset-4 hover:decoration-ink";
  const of = id ?? 0;
  switch (type) {
    case "user":
      return (
        <Link to="/users" search={{ person: of }} className={look}>
          {children}
        </Link>
      );
    case "notification":
      return (
        <Link to="/notifications/$id" params={{ id: String(of) }} className={look}>
          {children}
        </Link>
      );
    case "template":
      return (
        <Link to="/templates" search={{ edit: of }} className={look}>
          {children}
        </Link>
      );
    case "schedule":
      return (
        <Link to="/schedules" search={{ schedule: of }} className={look}>
          {children}
        </Link>
      );
    case "group":
      return (
        <Link to="/users" search={{ tab: "groups", members: of }} className={look}>
          {children}
        </Link>
      );
    case "account":
      return (
        <Link to="/integrations" search={accountsSearch(channel ?? undefined)} className={look}>
          {children}
        </Link>
      );
    case "setting":
      return (
        <Link to="/settings" className={look}>
          {children}
        </Link>
      );
    default:
      return type satisfies never;
  }
}

function Change({ change: { label, before, after } }: { change: AuditChange }) {
  return (
    <li className="inline-flex max-w-full flex-wrap items-center gap-x-1.5 rounded-sm border border-line bg-paper px-2 py-0.5 text-[0.8125rem]">
      <span className="text-ink-2">{label}</span>
      {after === null ? (
        <strong className="font-semibold">changed</strong>
      ) : (
        <>
          <span className="sr-only"> from </span>
          <del className="text-ink-2 wrap-anywhere">{before}</del>
          <ArrowRight aria-hidden className="size-3.5 shrink-0 text-ink-3" />
          <span className="sr-only"> to </span>
          <strong className="font-semibold wrap-anywhere">{after}</strong>
        </>
      )}
    </li>
  );
}
