import type { UnreachedPerson } from "#contract/calls/places.ts";
import { channelMeaning } from "#contract/delivery.ts";

type Way = UnreachedPerson["ways"][number];

export type Fix = {
  /** The field of the person's form that helps, and what to do there. */
  edit?: { verb: "Add" | "Correct" | "Confirm" | "Change"; field: "email" | "phone" };
  unblock?: boolean;
  /** What to say where nothing can be done here. */
  advice?: string;
};

/** What helps against a reason. */
export function fixOf({ channel, reason, blocked }: Pick<Way, "channel" | "reason" | "blocked">): Fix {
  const { address } = channelMeaning[channel];
  const at = (verb: NonNullable<Fix["edit"]>["verb"]): Fix =>
    address === "device" ? {} : { edit: { verb, field: address } };
  switch (reason) {
    case "no-email":
    case "no-phone":
      return at("Add");
    case "invalid-email":
    case "invalid-phone":
      return at("Correct");
    case "unconfirmed-email":
    case "unconfirmed-phone":
      return at("Confirm");
    case "suppressed":
      return { ...at("Change"), unblock: true };
    case "opted-out":
      // Whether a text that only sounds like STOP was one, staff decide.
      return blocked && blocked.words !== null
        ? { unblock: true }
        : { advice: "Only they can turn it on again." };
    case "not-turned-on":
    case "no-device":
      return { advice: "Ask them to turn it on." };
    case "channel-off":
      return { advice: "An administrator can turn it on in Settings." };
    default:
      return {};
  }
}
