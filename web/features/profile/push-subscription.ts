/** This browser's side of Web Push: whether it can, whether it may, and how it is signed up. */

/**
 * `unsupported`: it cannot, at this address or at all. `blocked`: the person, or a policy, does not allow it.
 * `home-screen`: an iPhone or iPad, which can once the console is an app on its home screen.
 */
export type PushAbility = "able" | "blocked" | "home-screen" | "unsupported" | "insecure";

export function pushAbility(): PushAbility {
  if (!window.isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window))
    return isIos() ? "home-screen" : "unsupported";
  return Notification.permission === "denied" ? "blocked" : "able";
}

/** An iPad says that it is a Mac, but no Mac has a touch screen. */
const isIos = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1);

/** Where this browser's messages go now; null while it is not signed up. */
export async function currentEndpoint(): Promise<string | null> {
  const subscription = await (await registered())?.pushManager.getSubscription();
  return subscription?.endpoint ?? null;
}

type Subscribed = { endpoint: string; p256dh: string; auth: string };

/**
 * Asks the person, where they have not been asked, and signs the browser up. Null: they said no. Rejects where the
 * browser's push service does not answer.
 */
export async function subscribe(publicKey: string): Promise<Subscribed | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  // Never from the cache: a worker that shows messages wrongly must not outlive its repair.
  await navigator.serviceWorker.register("/push-worker.js", { updateViaCache: "none" });
  const { pushManager } = await navigator.serviceWorker.ready;
  // Signed up with another key, it would refuse ours.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(publicKey),
  });
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint: endpoint ?? "", p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" };
}

export async function unsubscribe(): Promise<void> {
  await (await (await registered())?.pushManager.getSubscription())?.unsubscribe();
}

/** Not every browser takes the key as text. */
function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.codePointAt(0)!);
}

async function registered(): Promise<ServiceWorkerRegistration | undefined> {
  return pushAbility() === "able" ? navigator.serviceWorker.getRegistration("/") : undefined;
}
