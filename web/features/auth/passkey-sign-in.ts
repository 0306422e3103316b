import type { SignedIn } from "#contract/calls/auth.ts";
import { call } from "#web/api/client.ts";
import { signInRules } from "#web/features/auth/lazy-rules.ts";

/** Whether this page can use passkeys: in a browser that knows them, at the address that they are made for. */
export const passkeysWorkHere = (origin: string | null | undefined) =>
  origin === window.location.origin && "PublicKeyCredential" in window;

/**
 * Signs in with a passkey, `alone` or as the second step. Throws ApiError and OfflineError; undefined if the person
 * changed their mind or has no passkey here.
 */
export async function signInWithPasskey(body: {
  alone: boolean;
  sharedComputer: boolean;
}): Promise<SignedIn | undefined> {
  const [{ secondStep }, { startAuthentication }] = await Promise.all([
    signInRules.load(),
    import("@simplewebauthn/browser"),
  ]);
  const optionsJSON = (await call(secondStep.passkeyOptions, { body })) as unknown as Parameters<
    typeof startAuthentication
  >[0]["optionsJSON"];
  const response = await startAuthentication({ optionsJSON }).catch(() => undefined);
  return response && call(secondStep.passkey, { body: { response: { ...response } } });
}
