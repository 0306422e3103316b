import { FileSpreadsheet } from "lucide-react";
import { people } from "#contract/text/count-text.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { useOwnValues } from "#web/domain/message/own-values/use-own-values.ts";
import { Button } from "#web/ui/page/button.tsx";

/** Sends the message to everyone who has a value in its file, instead of to whoever else is chosen. */
export function EveryoneInFile() {
  const { values, busy } = useMessage();
  const { file, sendToAll } = useOwnValues();
  if (!file?.name || values.recipients.some(({ type }) => type === "file")) return null;
  return (
    <div>
      <Button
        size="sm"
        icon={<FileSpreadsheet aria-hidden />}
        disabled={busy || file.people === 0}
        onClick={() => sendToAll(file)}
      >
        Everyone in the file ({people(file.people)})
      </Button>
    </div>
  );
}
