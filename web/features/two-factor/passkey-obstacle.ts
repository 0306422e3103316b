/** Why passkeys can't be added on this page, in a sentence; undefined if they can. `origin`: where they work. */
export function passkeyObstacle(origin: string | null): string | undefined {
  if (origin === null) {
    return "Passkeys require https. This address doesn't use it.";
  }
  if (origin !== window.location.origin)
    return `Passkeys only work at ${origin}. Open Porchlight there to add one.`;
  return "PublicKeyCredential" in window ? undefined : "This browser doesn't support passkeys.";
}
