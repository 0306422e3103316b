import { channelMeaning } from "#contract/delivery.ts";
import type { Channel } from "#contract/delivery.ts";
import type { Profile } from "#contract/profile.ts";
import type { ConsentChange } from "#contract/users.ts";
import { nationalPhone } from "#web/domain/phone-number.ts";

export type PreferenceRow = {
  channel: Channel;
  /** The field that says it. */
  wish: "receiveEmail" | "receiveSms" | "receivePush";
  label: string;
  /** Where its messages go, or why they cannot go anywhere. */
  address: string;
};

export function preferenceRows({ email, phone }: Pick<Profile, "email" | "phone">): PreferenceRow[] {
  return [
    {
      channel: "email",
      wish: "receiveEmail",
      label: channelMeaning.email.choice,
      address: email === null ? "No e-mail address is known yet" : `To ${email}`,
    },
    {
      channel: "sms",
      wish: "receiveSms",
      label: channelMeaning.sms.choice,
      address: phone === null ? "No phone number is known yet" : `To ${nationalPhone(phone)}`,
    },
    { channel: "push", wish: "receivePush", label: channelMeaning.push.choice, address: "In your browser" },
  ];
}

/** The newest change of a channel; the list has the newest first. */
export function latestChange(changes: readonly ConsentChange[], channel: Channel): ConsentChange | undefined {
  return changes.find((change) => change.channel === channel);
}

/** Where a change came from, said to the person whose it is. */
export function whereFrom({ source, sentence }: ConsentChange): string {
  return source === "profile" ? "In your profile" : sentence;
}
