import { says } from "#contract/refusals/says.ts";
import { counted } from "#contract/text/count-text.ts";

/** Who may call, and with which session. */
export const access = {
  "not-signed-in": says("signed-out", "Please sign in"),
  "role-not-allowed": says("forbidden", "Your role does not allow this. Ask an administrator."),
  "someone-else-signed-in": says("signed-out", "Someone else has since signed in on this browser"),
  "password-has-expired": says(
    "password-expired",
    "Your password has expired. Choose a new one to continue.",
  ),
  "second-factor-not-set-up": says(
    "two-factor-required",
    "Administrators need two-factor authentication here. Set it up to continue.",
  ),
  "password-not-entered-lately": says("password-required", "Enter your password to continue"),
  "from-another-site": says("cross-site", "This request came from another site and was refused"),
  "session-changed": says("conflict", "Your sign-in was changed in another tab just now. Please try again."),
  "signed-out-elsewhere": says("session-ended", "You were signed out of this browser. Please sign in."),
  "session-too-old": says<{ days: number }>(
    "session-expired",
    ({ days }) => `Your session ended because a session lasts ${days} days at most. Please sign in.`,
  ),
  "session-unused": says<{ minutes: number }>(
    "session-expired",
    ({ minutes }) =>
      `Your session ended because no one used it for ${counted(minutes, "minute")}. Please sign in.`,
  ),
  "too-many-rows-read": says(
    "too-many-requests",
    "You have loaded too many rows in 10 minutes. Try again in a few minutes, or use an export.",
  ),
  "too-many-changes": says(
    "too-many-requests",
    "You have made too many changes in a minute. Try again in a minute.",
  ),
  "too-many-exports": says<{ most: number; minutes: number }>(
    "too-many-requests",
    ({ most, minutes }) => `You can do this ${most} times in ${minutes} minutes. Try again in a few minutes.`,
  ),
};
