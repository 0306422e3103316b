import { BellOff, BellRing } from "lucide-react";
import { useEffect, useState } from "react";
import { channelMeaning } from "#contract/delivery.ts";
import { profileCalls, type PushBrowser } from "#contract/calls/profile.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import { DeviceMark, Mark } from "#web/features/profile/device-mark.tsx";
import {
  currentEndpoint,
  pushAbility,
  subscribe,
  unsubscribe,
  type PushAbility,
} from "#web/features/profile/push-subscription.ts";
import { Badge } from "#web/ui/feedback/badge.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { When } from "#web/ui/time/when.tsx";

type Props = {
  publicKey: string;
  browsers: readonly PushBrowser[];
  /** The channel is on in the person's preferences. */
  allowed: boolean;
};

/** Turns notifications on in this browser, and lists every one in which they are on. */
export function PushBrowsers({ publicKey, browsers, allowed }: Props) {
  const [ability, setAbility] = useState(pushAbility);
  const [here, setHere] = useState<string | null>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    currentEndpoint().then(setHere, () => setHere(null));
  }, []);
  const refreshes = [profileCalls.pushBrowsers, profileCalls.read];
  const add = useWrite(profileCalls.addPushBrowser, { refreshes });
  const remove = useWrite(profileCalls.removePushBrowser, { refreshes });
  const isHere = ({ endpoint }: PushBrowser) => endpoint === here;
  const on = browsers.some(isHere);

  async function turnOn() {
    setBusy(true);
    try {
      const subscribed = await subscribe(publicKey);
      setAbility(pushAbility());
      if (!subscribed) return;
      await add.mutateAsync({ body: subscribed });
      setHere(subscribed.endpoint);
      toast({ title: "Notifications are on", description: "You'll see new notices in this browser." });
    } catch (error) {
      const description = error instanceof DOMException ? NO_SERVICE : reasonOf(error);
      toast({ title: "Notifications couldn't be turned on", description, variant: "destructive" });
    } finally {
      setBusy(false);
    }
  }

  function turnOff(browser: PushBrowser) {
    remove.mutate(
      { params: { id: browser.id } },
      {
        onSuccess: () => {
          toast({
            title: "Notifications are off",
            description: `${browser.name} won't show notifications anymore.`,
          });
          // Without it the server sends nothing there; what stays behind in the browser does no harm.
          if (isHere(browser)) void unsubscribe().catch(() => undefined);
        },
        onError: ({ message }) =>
          toast({
            title: "Notifications couldn't be turned off",
            description: message,
            variant: "destructive",
          }),
      },
    );
  }

  const removing = remove.isPending ? remove.variables.params.id : undefined;
  return (
    <>
      {!on && (
        <div className="flex flex-wrap items-center gap-3.5 px-4 py-4 md:px-5">
          <Mark icon={ability === "able" ? <BellRing /> : <BellOff />} />
          <div className="min-w-56 flex-1 text-sm">
            <p className="font-semibold">{headings[ability]}</p>
            <p className="text-pretty text-ink-2">{sentences[ability]}</p>
          </div>
          {ability === "able" && (
            <Button busy={busy} disabled={here === undefined} onClick={() => void turnOn()}>
              Turn on in this browser
            </Button>
          )}
        </div>
      )}
      {browsers.length > 0 && (
        <ul className={on ? "divide-y divide-line" : "divide-y divide-line border-t border-line"}>
          {browsers.map((browser) => (
            <li key={browser.id} className="flex items-center gap-3.5 px-4 py-3.5 md:px-5">
              <DeviceMark device={browser.name} />
              <div className="min-w-0 flex-1 text-sm">
                <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
                  {browser.name}
                  {isHere(browser) && <Badge tone="good">This browser</Badge>}
                </p>
                <p className="text-ink-3">
                  Turned on <When at={browser.createdAt} as="sentence" />
                </p>
              </div>
              <Button
                size="sm"
                aria-label={`Turn off ${browser.name}`}
                busy={removing === browser.id}
                onClick={() => turnOff(browser)}
              >
                Turn off
              </Button>
            </li>
          ))}
        </ul>
      )}
      {browsers.length > 0 && !allowed && (
        <output className="block border-t border-line bg-warn-soft px-4 py-3 text-sm text-warn md:px-5">
          You have turned off {channelMeaning.push.switched} in your preferences, so these browsers won't show
          any.
        </output>
      )}
    </>
  );
}

const NO_SERVICE = "This browser's notification service didn't answer. Try again later.";

const headings: Record<PushAbility, string> = {
  able: "Off in this browser",
  blocked: "Blocked in this browser",
  "home-screen": "Add Porchlight to your Home Screen",
  unsupported: "Not available in this browser",
  insecure: "Not available at this address",
};

const sentences: Record<PushAbility, string> = {
  able: "You'll see new notices even when Porchlight is closed.",
  blocked:
    "This browser doesn't let Porchlight show notifications. Allow them in its settings for this site, then reload the page.",
  "home-screen":
    "On an iPhone or iPad, only apps on the Home Screen can show notifications. Tap the Share button, choose “Add to Home Screen”, open Porchlight from there, sign in, and turn notifications on here.",
  unsupported: "It can't show notifications from websites. Try another browser.",
  insecure: "Notifications require https. Ask your administrator.",
};
