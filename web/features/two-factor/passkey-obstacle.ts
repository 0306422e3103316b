/** Why passkeys can't be added on this page, in a sentence; undefined if they can. `origin`: where they work. */
export function passkeyObstacle(origin: string | null): string | undefined {
  if (origin === null) {
    return "Passkeys need https. Ask whoever runs this Porchlight to set it up under an https address.";
  }
  if (origin !== window.location.origin)
    return `Passkeys only work at ${origin}. Open Porchlight there to add one.`;
  return "PublicKeyCredential" in window ? undefined : "This browser doesn’t support passkeys.";
}
