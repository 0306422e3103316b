import { Bold } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { MessageEditor } from "#web/domain/message/message-editor.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { lazyPart } from "#web/ui/browser/lazy-part.ts";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import type { FieldWiring } from "#web/ui/form/field.tsx";

const letter = lazyPart(() => import("#web/domain/message/letter-editor.tsx"));

type Props = FieldWiring & {
  value: string;
  /** The text is Markdown. */
  formatted: boolean;
  /** The text, and whether it is Markdown now. */
  onChange: (text: string, formatted: boolean) => void;
  marked?: string | undefined;
  aside: ReactNode;
};

/** A message of one's own: plain text, or with the formatting that templates have. Switching keeps the words. */
export function CustomEditor({ value, formatted, onChange, marked, aside, ...wiring }: Props) {
  const [state, setState] = useState<"loading" | "failed">();
  useEffect(() => {
    if (!formatted || letter.loaded) return undefined;
    let shown = true;
    const settle = (next: "failed" | undefined) => shown && setState(next);
    letter.load().then(
      () => settle(undefined),
      () => settle("failed"),
    );
    return () => {
      shown = false;
    };
  }, [formatted]);
  const change = async (to: "toFormatted" | "toPlain") => {
    setState("loading");
    try {
      const part = await letter.load();
      onChange(part[to](value), to === "toFormatted");
    } catch {
      toast({
        title: "Error",
        description: "We couldn't load the formatting. Your text is still here. Try again.",
        variant: "destructive",
      });
    }
    setState(undefined);
  };
  if (formatted && letter.loaded) {
    const { LetterEditor } = letter.loaded;
    return (
      <LetterEditor
        {...wiring}
        value={value}
        onChange={(text) => onChange(text, true)}
        aside={
          <>
            <Button variant="ghost" size="sm" onClick={() => void change("toPlain")}>
              Plain text
            </Button>
            {aside}
          </>
        }
      />
    );
  }
  // Without the editor, the marks are shown as they are stored.
  if (formatted && state !== "failed") return <Skeleton className="h-56" />;
  return (
    <MessageEditor
      {...wiring}
      value={value}
      marked={marked}
      onChange={(text) => onChange(text, formatted)}
      aside={
        <span className="flex flex-wrap gap-1">
          {!formatted && (
            <Button
              variant="ghost"
              size="sm"
              icon={<Bold aria-hidden />}
              busy={state === "loading"}
              onClick={() => void change("toFormatted")}
            >
              Format
            </Button>
          )}
          {aside}
        </span>
      }
    />
  );
}
