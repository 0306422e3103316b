import { useState } from "react";
import { type ImportOverview, imports } from "#contract/calls/imports.ts";
import { encodings } from "#contract/text/encodings.ts";
import { listText } from "#contract/text/locale.ts";
import { call } from "#web/api/client.ts";
import { uploadedFile, useSheetUpload } from "#web/features/csv/sheet/use-sheet-upload.ts";
import { Select } from "#web/ui/form/select.tsx";

type Props = { overview: ImportOverview; onOther: (id: number) => void };

/** How a text file was read, which a person may know better. The server reads it again. */
export function EncodingChoice({ overview: { id, text }, onOther }: Props) {
  const [chosen, setChosen] = useState<string>();
  const file = uploadedFile(id);
  const { reading, trouble, upload } = useSheetUpload((other) => {
    onOther(other);
    void call(imports.remove, { params: { id } }).catch(() => undefined);
  });
  if (text === null) return null;
  const quoted = text.garbled.map((word) => `“${word}”`);
  return (
    <div className="flex flex-col gap-3 p-4 text-sm">
      <h3 className="font-semibold">Encoding</h3>
      <Select
        aria-label="Encoding"
        value={chosen ?? text.encoding}
        disabled={file === null || reading !== null}
        onChange={({ target: { value } }) => {
          setChosen(value);
          if (file) upload(file, value);
        }}
      >
        {encodings.map(({ label, name }) => (
          <option key={label} value={label}>
            {name}
          </option>
        ))}
      </Select>
      {quoted.length > 0 && (
        <output className="text-warn">
          Some words look garbled, such as {listText(quoted)}. If names are wrong,{" "}
          {file === null ? "choose the file again and then another encoding." : "choose another encoding."}
        </output>
      )}
      {trouble && (
        <p role="alert" className="break-words text-bad">
          {trouble}
        </p>
      )}
    </div>
  );
}
