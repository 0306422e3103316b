import { BellRing } from "lucide-react";
import { cx } from "#web/ui/browser/class-names.ts";

type Props = {
  from: string;
  text: string;
  /** Dark or light mode. Undefined: the same as the console. */
  dark?: boolean;
} & ({ kind: "sms" } | { kind: "push"; title: string });

/** A text message or a push notification as a phone shows it. */
export function PhoneFrame(props: Props) {
  return (
    <div
      className={cx(
        props.dark !== undefined && (props.dark ? "dark" : "light"),
        "mx-auto w-full max-w-72 rounded-[2rem] border-[6px] border-line-strong bg-paper p-3 text-ink shadow-card",
      )}
    >
      <p className="pt-1 pb-3 text-center text-xs font-medium text-ink-3">{props.from}</p>
      {props.kind === "sms" ? (
        <p className="mb-16 w-fit max-w-[88%] rounded-2xl rounded-bl-sm bg-sunk px-3.5 py-2 text-sm break-words whitespace-pre-wrap">
          {props.text}
        </p>
      ) : (
        <div className="mb-24 flex gap-3 rounded-xl border border-line bg-card p-3 shadow-float">
          <span
            aria-hidden
            className="grid size-8 shrink-0 place-items-center rounded-md bg-push-soft text-push"
          >
            <BellRing className="size-4" />
          </span>
          <div className="min-w-0 text-sm">
            <p className="font-semibold break-words">{props.title}</p>
            <p className="break-words whitespace-pre-wrap text-ink-2">{props.text}</p>
          </div>
        </div>
      )}
    </div>
  );
}
