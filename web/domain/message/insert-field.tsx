import { Braces } from "lucide-react";
import type { ReactElement } from "react";
import { fieldsToInsert } from "#web/domain/message/fields.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "#web/ui/page/menu.tsx";

type Props = {
  onInsert: (field: string) => void;
  /** Called when the menu closes, so that the text gets the focus back. */
  onClosed: () => void;
  button?: ReactElement;
};

const defaultButton = (
  <Button variant="ghost" size="sm" icon={<Braces aria-hidden />}>
    Insert field
  </Button>
);

/** A menu of the automatic fields, to insert into a text. */
export function InsertField({ onInsert, onClosed, button = defaultButton }: Props) {
  return (
    <Menu>
      <MenuTrigger>{button}</MenuTrigger>
      <MenuContent
        align="start"
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          onClosed();
        }}
      >
        {fieldsToInsert().map(({ field, label }) => (
          <MenuItem key={field} onSelect={() => onInsert(field)}>
            {label}
            <span className="ml-auto pl-6 text-[0.8125rem] text-ink-3">{`{{${field}}}`}</span>
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  );
}
