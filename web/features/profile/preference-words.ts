import type { Channel } from "#contract/delivery.ts";
import type { Profile } from "#contract/profile.ts";
import type { ConsentChange } from "#contract/users.ts";
import { nationalPhone } from "#web/ui/phone-number.ts";

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
      label: "Email",
      address: email === null ? "No e-mail address is known yet" : `To ${email}`,
    },
    {
      channel: "sms",
      wish: "receiveSms",
      label: "Text message",
      address: phone === null ? "No phone number is known yet" : `To ${nationalPhone(phone)}`,
    },
    { channel: "push", wish: "receivePush", label: "Web push", address: "In your browser" },
  ];
}

const ways: Record<Channel, string> = {
  email: "by email",
  sms: "by text message",
  push: "in your browser",
};

/** "You get no notices by email." */
export function channelSentence(channel: Channel, allowed: boolean): string {
  return `You get ${allowed ? "" : "no "}notices ${ways[channel]}.`;
}

/** The newest change of a channel; the list has the newest first. */
export function latestChange(changes: readonly ConsentChange[], channel: Channel): ConsentChange | undefined {
  return changes.find((change) => change.channel === channel);
}

/** Where a change came from, said to the person whose it is. */
export function whereFrom({ source, sentence }: ConsentChange): string {
  return source === "profile" ? "In your profile" : sentence;
}
