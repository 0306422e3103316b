import { Braces } from "lucide-react";
import { useRef } from "react";
import { InsertField } from "#web/domain/message/insert-field.tsx";
import { insertText } from "#web/domain/message/message-editor.tsx";
import { Button } from "#web/ui/page/button.tsx";
import type { FieldWiring } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";

type Props = FieldWiring & { value: string; onChange: (value: string) => void };

/** One line of text with a menu that inserts a field at the cursor. */
export function SubjectInput({ value, onChange, ...wiring }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="flex gap-2">
      <Input
        {...wiring}
        ref={input}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <InsertField
        onInsert={(field) => {
          if (input.current) insertText(input.current, `{{${field}}}`);
        }}
        onClosed={() => input.current?.focus()}
        button={<Button size="icon" aria-label="Insert field in the subject" icon={<Braces aria-hidden />} />}
      />
    </div>
  );
}
