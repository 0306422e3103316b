import type { NotificationForm } from "#contract/notifications.ts";
import type { NotificationCall } from "#web/features/compose/form-call.ts";

/** What the dialog needs of the place where a notification waits that could not reach the server. */
export type OfflinePort = {
  /** "full": nothing was kept. `plannedFor` is null when it goes out as soon as the server answers. */
  keep: (pending: {
    clientKey: string;
    call: NotificationCall;
    form: NotificationForm;
    plannedFor: string | null;
  }) => Promise<"kept" | "full">;
  /** The server has taken this key: nothing needs to wait for it any more. */
  settled: (clientKey: string) => void;
};
