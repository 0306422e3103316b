import { Building2, FileSpreadsheet, User, Users } from "lucide-react";
import { Suspense, useState, useSyncExternalStore } from "react";
import { useController } from "react-hook-form";
import { fold } from "#contract/text/fold.ts";
import { fullName } from "#contract/text/full-name.ts";
import { groups, type Group } from "#contract/calls/groups.ts";
import type { AudienceMember, MessageForm } from "#contract/calls/notifications.ts";
import { recipientKey } from "#contract/recipients.ts";
import { users } from "#contract/calls/users.ts";
import { callList } from "#web/api/client.ts";
import { reachability } from "#web/api/reachability.ts";
import { isUnreachable } from "#web/api/unreachable.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { HomesPicker, WHO } from "#web/domain/message/homes-picker.tsx";
import { EveryoneInFile } from "#web/domain/message/own-values/everyone-in-file.tsx";
import { useOwnValues } from "#web/domain/message/own-values/use-own-values.ts";
import { PerHomeField } from "#web/domain/message/per-home-field.tsx";
import { useKnownGroups } from "#web/domain/message/known-groups.ts";
import { lazyComponent } from "#web/ui/browser/lazy-component.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { MultiPicker, type PickerOption } from "#web/ui/form/multi-picker.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";
import type { Found } from "#web/ui/form/use-search.ts";

const kinds = [
  { value: "groups", label: "Groups" },
  { value: "individuals", label: "Individuals" },
  { value: "homes", label: "Homes" },
] as const;

type Option = PickerOption & { member: AudienceMember };

const PAGE = 50;
const AWAY = "You can choose recipients once the server is back. What you wrote is kept.";

/** During an outage, searches the groups from the last reply. */
async function searchGroups(q: string, signal: AbortSignal, known: readonly Group[]): Promise<Found<Option>> {
  try {
    const { rows, total } = await callList(
      groups.list,
      { query: { q, bestFirst: true, pageSize: PAGE } },
      { signal },
    );
    return { options: rows.map((group) => groupOption(group)), total };
  } catch (error) {
    if (!isUnreachable(error) || known.length === 0) throw readableError(error);
    const fitting = known.filter(({ name }) => fold(name).includes(fold(q)));
    return { options: fitting.map((group) => groupOption(group)) };
  }
}

function readableError(error: unknown): unknown {
  return isUnreachable(error) ? new Error(AWAY) : error;
}

function groupOption({ id, name, description, userCount }: Group): Option {
  return { ...optionOf({ type: "group", id, name }, userCount), detail: description };
}

async function searchUsers(q: string, signal: AbortSignal): Promise<Found<Option>> {
  const { rows, total } = await callList(
    users.list,
    { query: { q, bestFirst: true, pageSize: PAGE } },
    { signal },
  ).catch((error: unknown) => {
    throw readableError(error);
  });
  const options = rows.map((user) => ({
    ...optionOf({ type: "user", id: user.id, name: fullName(user) }),
    detail: [user.propertyUnit, user.email ?? user.phone].filter(Boolean).join(" · "),
  }));
  return { options, total };
}

type Kind = MessageForm["recipientType"];

/** Whoever the text fits, whichever kind is chosen: that kind comes first, and alone before anything is typed. */
async function searchRecipients(
  kind: Kind,
  q: string,
  signal: AbortSignal,
  known: readonly Group[],
): Promise<Found<Option>> {
  const searches = [() => searchGroups(q, signal, known), () => searchUsers(q, signal)];
  const [first, second] = kind === "individuals" ? searches.toReversed() : searches;
  // Without the other kind, there is still what was asked for.
  const others = q === "" ? null : second!().catch(() => null);
  const found = await first!();
  const more = await others;
  if (!more) return found;
  const count = ({ options, total = options.length }: Found<Option>) => total;
  return { options: [...found.options, ...more.options], total: count(found) + count(more) };
}

const icons = { group: Users, user: User, homes: Building2, file: FileSpreadsheet };

function optionOf(member: AudienceMember, count?: number): Option {
  const Icon = icons[member.type];
  return {
    key: recipientKey(member),
    label: member.name,
    icon: <Icon aria-hidden />,
    member,
    ...(count === undefined ? {} : { count }),
  };
}

const ChosenHomes = lazyComponent(async () => import("#web/domain/message/chosen-homes.tsx"));

/** Any mix of groups, people and homes, searched on the server. `goesOut`: the day on which it is planned to. */
export function RecipientsSection({ goesOut }: { goesOut?: string | undefined }) {
  const { control } = useMessage().form;
  const kind = useController({ control, name: "recipientType" }).field;
  const { field: chosen, fieldState } = useController({ control, name: "recipients" });
  const known = useKnownGroups({ fresh: true });
  const reached = useSyncExternalStore(reachability.subscribe, reachability.get);
  // The picked person or group is known from the search results.
  const [picked, setPicked] = useState<ReadonlyMap<number, number>>(new Map());
  const counts = new Map([...picked, ...known.map((group) => [group.id, group.userCount] as const)]);
  const [asked, setAsked] = useState(false);
  const byGroups = kind.value === "groups";
  const { file } = useOwnValues();
  const countOf = ({ type, id }: AudienceMember) => {
    if (type === "group") return counts.get(id);
    return type === "file" && file?.id === id ? file.people : undefined;
  };
  const options = chosen.value.map((member) => optionOf(member, countOf(member)));
  const toHomes = kind.value === "homes" || chosen.value.some(({ type }) => type === "homes");
  return (
    <div className="flex flex-col gap-3">
      <Field
        label="Recipients"
        required
        error={fieldState.error?.message ?? fieldState.error?.root?.message}
        hint={toHomes && WHO}
        aside={
          <Segmented
            label="Recipient type"
            segments={kinds}
            value={kind.value}
            onChange={(next) => {
              kind.onChange(next);
              setAsked(true);
            }}
          />
        }
      >
        {(wiring) =>
          kind.value === "homes" ? (
            <HomesPicker {...wiring} chips={options} onChange={chosen.onChange} opened={asked} />
          ) : (
            <MultiPicker
              {...wiring}
              value={options}
              onChange={(next) => {
                setPicked(
                  new Map(
                    next.flatMap(({ member, count }) => (count === undefined ? [] : [[member.id, count]])),
                  ),
                );
                chosen.onChange(next.map((option) => option.member));
              }}
              search={(text, signal) => searchRecipients(kind.value, text, signal, known)}
              // A list that is open when the server is back is searched again.
              source={reached ? kind.value : `${kind.value} without the server`}
              placeholder="Search groups and people"
              emptyText={byGroups ? "No groups available" : "No users available"}
            />
          )
        }
      </Field>
      <EveryoneInFile />
      {chosen.value.some(({ type }) => type === "homes") && (
        <Suspense fallback={null}>
          <ChosenHomes members={chosen.value} goesOut={goesOut} />
        </Suspense>
      )}
      <PerHomeField />
    </div>
  );
}
