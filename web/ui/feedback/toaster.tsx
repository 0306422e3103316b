import { CircleAlert, CircleCheck, CloudOff, X } from "lucide-react";
import { Toast as Primitive } from "radix-ui";
import { cx } from "#web/ui/browser/class-names.ts";
import { useToastPlace } from "#web/ui/feedback/toast-place.ts";
import { TOAST_DURATION, dismissToast, type Toast } from "#web/ui/feedback/toast-store.ts";

/** Renders the toasts. Swiping right by 50 px dismisses one, and F8 moves the focus here. */
export default function Toaster({ toasts }: { toasts: readonly Toast[] }) {
  const place = useToastPlace();
  return (
    <Primitive.Provider duration={TOAST_DURATION} swipeDirection="right" swipeThreshold={50}>
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
      <Primitive.Viewport
        ref={place}
        hotkey={["F8"]}
        className="fixed right-0 bottom-0 z-100 flex max-h-dvh w-full flex-col gap-2 p-4 pb-[max(1rem,env(safe-area-inset-bottom))] md:max-w-[420px] print:hidden"
      />
    </Primitive.Provider>
  );
}

const looks = {
  default: { Icon: CircleCheck, color: "text-good" },
  waiting: { Icon: CloudOff, color: "text-warn" },
  destructive: { Icon: CircleAlert, color: "text-bad" },
};

function ToastCard({ toast }: { toast: Toast }) {
  const destructive = toast.variant === "destructive";
  const { Icon, color } = looks[toast.variant ?? "default"];
  return (
    <Primitive.Root
      open={toast.open}
      onOpenChange={(open) => {
        if (!open) dismissToast(toast.id);
      }}
      duration={toast.duration ?? TOAST_DURATION}
      // A failure interrupts, a success waits its turn.
      type={destructive ? "foreground" : "background"}
      className={cx(
        "animate-toast relative flex items-start gap-3 rounded-lg border bg-card p-4 pr-11 shadow-dialog",
        "data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=end]:translate-x-full data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform",
        destructive ? "border-bad" : "border-line",
      )}
    >
      <Icon aria-hidden className={cx("mt-0.5 size-[1.125rem] shrink-0", color)} />
      <div className="min-w-0 flex-1">
        <Primitive.Title className="font-semibold">{toast.title}</Primitive.Title>
        {toast.description && (
          <Primitive.Description className="mt-0.5 text-sm break-words text-ink-2">
            {toast.description}
          </Primitive.Description>
        )}
        {toast.action && (
          <Primitive.Action
            altText={toast.action.label}
            onClick={toast.action.onClick}
            className="mt-2 rounded-sm text-sm font-semibold underline underline-offset-4"
          >
            {toast.action.label}
          </Primitive.Action>
        )}
      </div>
      <Primitive.Close
        aria-label="Close"
        className="absolute top-2 right-2 grid size-8 place-items-center rounded-md text-ink-3 hover:bg-hover hover:text-ink touch:size-11 touch:top-1 touch:right-1"
      >
        <X aria-hidden className="size-4" />
      </Primitive.Close>
    </Primitive.Root>
  );
}
