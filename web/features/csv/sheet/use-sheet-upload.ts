import { imports } from "#contract/calls/imports.ts";
import { useSheetUploadTo } from "#web/api/use-sheet-upload.ts";

/** The server doesn't keep the file itself, which someone may want to have read in another encoding. */
let last: { id: number; file: File } | null = null;

/** The file of an import, if this page uploaded it last. */
export const uploadedFile = (id: number): File | null => (last?.id === id ? last.file : null);

/** Uploads a spreadsheet to be imported. */
export function useSheetUpload(onRead: (id: number) => void) {
  const sheet = useSheetUploadTo(imports.upload, ({ id }, file) => {
    last = { id, file };
    onRead(id);
  });
  return {
    ...sheet,
    /** @param encoding the one that someone chose for a text file; otherwise the server guesses */
    upload: (file: File, encoding?: string) => sheet.upload(file, { encoding }),
  };
}
