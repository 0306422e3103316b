import type { SecondFactor, SignedIn } from "#contract/calls/auth.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import type { secondStep } from "#contract/calls/two-factor.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { type Db, transaction } from "#server/db/database.ts";
import type { SecretBox } from "#server/db/secret-box.ts";
import { knownBrowser } from "#server/features/auth/known-browser.ts";
import type { PasskeySite } from "#server/features/auth/passkey-site.ts";
import {
  beginSignIn,
  endPendingSignIn,
  type PendingSignIn,
  pendingSignIn,
} from "#server/features/auth/pending-sign-in.ts";
import { type SignInCall, signIn } from "#server/features/auth/sign-in.ts";
import {
  countCode,
  countPasskeySignIn,
  forgiveCodes,
  forgivePasskeySignIn,
} from "#server/features/auth/throttle.ts";
import { tellOfChange } from "#server/features/credentials/account-notice.ts";
import { countWeeklyCode, rightCode, wrongCode } from "#server/features/two-factor/code-limit.ts";
import { authenticationOptions, ownerOfSignature } from "#server/features/two-factor/passkeys.ts";
import { hashRecoveryCode, useRecoveryCode } from "#server/features/two-factor/recovery-codes.ts";
import { useTotp } from "#server/features/two-factor/totp.ts";
import type { SessionUser } from "#server/http/route.ts";
import { recordSecurityEvent } from "#server/http/security-events.ts";
import type { Cookies } from "#server/http/session.ts";

/** The second step of a sign-in, and a passkey, which is both steps in one. */

type Parts = { db: Db; cookies: Cookies };
type Call<Body> = SignInCall & { body: Body };

const wrong = { app: "app-code-wrong", recovery: "recovery-code-wrong" } as const;

/** Throws sign-in-expired, too-many-requests, and wrong-credentials at `code`. */
export async function finishWithCode(
  { db, cookies, box, now }: Parts & { box: SecretBox; now: Date },
  call: Call<BodyOf<typeof secondStep.code>>,
): Promise<SignedIn> {
  const { by, code } = call.body;
  const pending = await pendingSignIn(db, cookies.pending, call.request);
  const user = pending?.user;
  if (!user) throw refusal("sign-in-too-slow");
  const browser = await knownBrowser(db, cookies.browser.read(call.request), user.id);
  await countCode(db, user.id, browser);
  const counted = await countWeeklyCode(db, user.id, browser);
  // Slow, so it stays outside the transaction.
  const hash = by === "recovery" ? await hashRecoveryCode(db, user.id, code) : null;
  const found = await transaction(db, async (tx) => {
    const checked =
      by === "app"
        ? await useTotp(tx, box, { userId: user.id, code, now })
        : await useRecoveryCode(tx, user.id, hash);
    if (checked !== "right") return checked;
    await endPendingSignIn(tx, pending.token);
    if (by === "recovery") await tellOfChange(tx, user.id, "recovery-code-used", { user, ip: call.ip });
    return checked;
  });
  if (found !== "right") {
    await recordFailure(db, call, user, by);
    await wrongCode(db, counted, { user, ip: call.ip });
    throw refusal(found === "used" ? "code-used-before" : wrong[by]);
  }
  await forgiveCodes(db, user.id, browser);
  await rightCode(db, counted, { userId: user.id, browser });
  return finish({ db, cookies }, call, { pending, user, by });
}

/** What a passkey has to sign. Throws sign-in-expired and too-many-requests. */
export async function startPasskey(
  { db, cookies, site }: Parts & { site: PasskeySite },
  { request, reply, ip, body: { alone, sharedComputer } }: Call<BodyOf<typeof secondStep.passkeyOptions>>,
): Promise<{ challenge: string }> {
  if (alone) {
    await countPasskeySignIn(db, ip);
    const token = await beginSignIn(db, { cookie: cookies.pending, reply }, { userId: null, sharedComputer });
    return authenticationOptions(db, site, { userId: null, token });
  }
  const pending = await pendingSignIn(db, cookies.pending, request);
  if (!pending?.user) throw refusal("sign-in-too-slow");
  return authenticationOptions(db, site, { userId: pending.user.id, token: pending.token });
}

/** Throws sign-in-expired, conflict when it took too long, and wrong-credentials. */
export async function finishWithPasskey(
  { db, cookies, site }: Parts & { site: PasskeySite },
  call: Call<BodyOf<typeof secondStep.passkey>>,
): Promise<SignedIn> {
  const pending = await pendingSignIn(db, cookies.pending, call.request);
  if (!pending) throw refusal("sign-in-too-slow");
  const { response } = call.body;
  const user = await ownerOfSignature(db, site, { token: pending.token, response });
  if (!user || (pending.user && pending.user.id !== user.id)) {
    await recordFailure(db, call, pending.user, "passkey");
    throw refusal("passkey-unknown");
  }
  if (!pending.user) await forgivePasskeySignIn(db, call.ip);
  await endPendingSignIn(db, pending.token);
  return finish({ db, cookies }, call, { pending, user, by: "passkey" });
}

async function finish(
  { db, cookies }: Parts,
  call: SignInCall,
  { pending, user, by }: { pending: PendingSignIn; user: SessionUser; by: SecondFactor },
): Promise<SignedIn> {
  cookies.pending.clear(call.reply);
  const { sharedComputer, user: knownByPassword } = pending;
  const withoutPassword = knownByPassword === null;
  return signIn(db, cookies, user, { ...call, sharedComputer, withoutPassword }, by);
}

async function recordFailure(
  db: Db,
  { request }: SignInCall,
  user: SessionUser | null,
  by: SecondFactor,
): Promise<void> {
  const subject = { type: "user", id: user?.id };
  await recordSecurityEvent(db, request, { user: null, action: "session.fail", subject, detail: { by } });
}
