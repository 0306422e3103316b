import { Braces } from "lucide-react";
import { useRef } from "react";
import { insertableFields } from "#web/domain/message/fields.ts";
import { Button } from "#web/ui/button.tsx";
import type { FieldWiring } from "#web/ui/field.tsx";
import { Input } from "#web/ui/input.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "#web/ui/menu.tsx";

type Props = FieldWiring & { value: string; onChange: (value: string) => void };

/** One line of text with a menu that inserts a field at the cursor. */
export function SubjectInput({ value, onChange, ...wiring }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const insert = (field: string) => {
    const box = input.current;
    const [start, end] = [box?.selectionStart ?? value.length, box?.selectionEnd ?? value.length];
    onChange(`${value.slice(0, start)}{{${field}}}${value.slice(end)}`);
  };
  return (
    <div className="flex gap-2">
      <Input
        {...wiring}
        ref={input}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <Menu>
        <MenuTrigger>
          <Button size="icon" aria-label="Insert field in the subject" icon={<Braces aria-hidden />} />
        </MenuTrigger>
        <MenuContent>
          {insertableFields.map(({ field, label }) => (
            <MenuItem key={field} onSelect={() => insert(field)}>
              {label}
            </MenuItem>
          ))}
        </MenuContent>
      </Menu>
    </div>
  );
}
