import { channelMeaning, channels, type AddressKind, type Channel } from "#contract/delivery.ts";
import type { Profile } from "#contract/calls/profile.ts";
import type { ConsentChange } from "#contract/calls/users.ts";
import { nationalPhone } from "#web/domain/phone-number.ts";

export type PreferenceRow = {
  channel: Channel;
  label: string;
  /** Where its messages go, or why they cannot go anywhere. */
  address: string;
};

export function preferenceRows({ email, phone }: Pick<Profile, "email" | "phone">): PreferenceRow[] {
  const addresses: Record<AddressKind, string> = {
    email: email === null ? "No email address on file yet" : `To ${email}`,
    phone: phone === null ? "No phone number on file yet" : `To ${nationalPhone(phone)}`,
    device: "In your browser",
  };
  return channels.map((channel) => {
    const { choice: label, address } = channelMeaning[channel];
    return { channel, label, address: addresses[address] };
  });
}

/** The newest change of a channel; the list has the newest first. */
export function latestChange(changes: readonly ConsentChange[], channel: Channel): ConsentChange | undefined {
  return changes.find((change) => change.channel === channel);
}

/** Where a change came from, as shown to the person it is about. */
export function whereFrom({ source, sentence }: ConsentChange): string {
  return source === "profile" ? "In your profile" : sentence;
}
