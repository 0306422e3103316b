import { LOGO_MAX } from "#contract/calls/settings.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";

/** The chosen file as a data URL. Undefined, with a toast that says why, if it can't be a logo. */
export async function takeLogo(file: File | undefined): Promise<string | undefined> {
  if (file && file.size > LOGO_MAX) return refuseLogo("size");
  let logo: string | undefined;
  try {
    logo = file && (await readLogo(file));
  } catch {
    return refuseLogo("unreadable");
  }
  return logo ?? refuseLogo("type");
}

const refusals = {
  type: { title: "Invalid File Type", description: "Please upload a JPG or PNG image." },
  size: { title: "File Too Large", description: "Please upload an image smaller than 2MB." },
  // Damaged, deleted since it was chosen, or on a drive that is gone.
  unreadable: { title: "Error Saving Logo", description: "The image can't be read. Please choose another." },
};

export function refuseLogo(reason: keyof typeof refusals): undefined {
  toast({ ...refusals[reason], variant: "destructive" });
}

const kinds = [
  { type: "image/png", first: [0x89, 0x50, 0x4e, 0x47] },
  { type: "image/jpeg", first: [0xff, 0xd8, 0xff] },
];

/**
 * The file as a data URL, typed by its content rather than its name. Undefined if it is neither JPG nor PNG. Rejects
 * for an image that can't be shown.
 */
async function readLogo(file: File): Promise<string | undefined> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const kind = kinds.find(({ first }) => first.every((byte, index) => bytes[index] === byte));
  if (!kind) return undefined;
  const image = new Blob([bytes], { type: kind.type });
  // A damaged one would be missing from every email and report.
  (await createImageBitmap(image)).close();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener("load", () => resolve(reader.result as string));
  reader.addEventListener("error", () => reject(reader.error ?? new Error("The file can't be read")));
  reader.readAsDataURL(image);
  return promise;
}
