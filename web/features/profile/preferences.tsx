import { channels, consentSentence } from "#contract/delivery.ts";
import { profileCalls, type Profile } from "#contract/calls/profile.ts";
import { preferenceField } from "#contract/calls/users.ts";
import { useWrite } from "#web/api/use-write.ts";
import { ChangeList } from "#web/features/profile/change-list.tsx";
import {
  latestChange,
  preferenceRows,
  whereFrom,
  type PreferenceRow,
} from "#web/features/profile/preference-text.ts";
import { ChannelIcon } from "#web/domain/channel.tsx";
import { Switch } from "#web/ui/form/switch.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { When } from "#web/ui/time/when.tsx";

/** Which channels reach this person. Each change applies immediately and is on record. */
export function Preferences({ profile }: { profile: Profile }) {
  const save = useWrite(profileCalls.savePreferences, { refreshes: [profileCalls.read] });
  const asked = save.isPending ? save.variables.body : undefined;

  function change(row: PreferenceRow, allowed: boolean) {
    // Not the others: they may have changed elsewhere since this page was read.
    save.mutate(
      { body: { [preferenceField[row.channel]]: allowed } },
      {
        onSuccess: () =>
          toast({ title: "Preferences saved", description: consentSentence(row.channel, allowed) }),
        onError: ({ message }) =>
          toast({ title: "The preferences were not saved", description: message, variant: "destructive" }),
      },
    );
  }

  return (
    <>
      <ul className="divide-y divide-line">
        {preferenceRows(profile).map((row) => {
          const field = preferenceField[row.channel];
          const last = latestChange(profile.consents, row.channel);
          return (
            <li key={row.channel} className="flex items-start gap-3.5 px-4 py-4 md:px-5">
              <ChannelIcon channel={row.channel} named className="mt-0.5" />
              <div className="min-w-0 flex-1">
                <Switch
                  label={row.label}
                  hint={row.address}
                  checked={asked?.[field] ?? profile[field]}
                  disabled={save.isPending}
                  onChange={(event) => change(row, event.target.checked)}
                />
                {last && (
                  <p className="mt-1 pr-14 text-sm text-ink-3">
                    {last.allowed ? "Turned on" : "Turned off"} · {whereFrom(last)} · <When at={last.at} />
                  </p>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      {channels.every((channel) => !profile[preferenceField[channel]]) && (
        <output className="block border-t border-line bg-warn-soft px-4 py-3 text-sm text-warn md:px-5">
          Every channel is off. You won't get any notices, not even urgent ones.
        </output>
      )}
      {profile.consents.length > 0 && <ChangeList changes={profile.consents} />}
    </>
  );
}
