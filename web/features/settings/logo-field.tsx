import { Trash2 } from "lucide-react";
import { Suspense, use, type ComponentProps } from "react";
import { LOGO_MAX } from "#contract/calls/settings.ts";
import { CompanyLogo } from "#web/ui/page/brand.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { FieldError } from "#web/ui/form/field.tsx";
import type { FileDrop } from "#web/ui/form/file-drop.tsx";
import { lazyPart } from "#web/ui/browser/lazy-part.ts";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

// A tenth of what a screen may weigh.
const fileDrop = lazyPart(async () => (await import("#web/ui/form/file-drop.tsx")).FileDrop);

function LazyFileDrop(props: ComponentProps<typeof FileDrop>) {
  if (!fileDrop.loaded) use(fileDrop.load());
  return fileDrop.loaded && <fileDrop.loaded {...props} />;
}

type Props = {
  /** A data URL; "" without a logo. */
  value: string;
  onChange: (logo: string) => void;
  error: string | undefined;
  disabled: boolean;
};

/** The logo as it will look, and the file it comes from. It is stored with the form. */
export function LogoField({ value, onChange, error, disabled }: Props) {
  const choose = async ([file]: File[]) => {
    let logo: string | undefined;
    try {
      logo = file && (await readLogo(file));
    } catch {
      return refuse("unreadable");
    }
    if (!logo) return refuse("type");
    onChange(logo);
    toast({ title: "Logo Uploaded", description: "Save your changes to use it." });
  };
  return (
    <div className="flex flex-col gap-4 sm:flex-row sm:items-start">
      <CompanyLogo src={value} className="border border-line bg-paper" />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-3 *:w-full">
        <Suspense fallback={<Skeleton className="h-19" />}>
          <LazyFileDrop
            label="Logo"
            hint="JPG or PNG up to 2MB, recommended 150x150 px"
            accept={{ "image/png": [".png"], "image/jpeg": [".jpg", ".jpeg"] }}
            maxSize={LOGO_MAX}
            disabled={disabled}
            onFiles={(files) => void choose(files)}
            onRejected={([rejected]) => refuse(rejected?.reason ?? "type")}
          />
        </Suspense>
        <FieldError message={error} />
        {value && (
          <Button
            variant="ghost"
            className="w-auto!"
            icon={<Trash2 aria-hidden />}
            onClick={() => onChange("")}
          >
            Remove logo
          </Button>
        )}
      </div>
    </div>
  );
}

const refusals = {
  type: { title: "Invalid File Type", description: "Please upload a JPG or PNG image." },
  size: { title: "File Too Large", description: "Please upload an image smaller than 2MB." },
  // Damaged, deleted since it was chosen, or on a drive that is gone.
  unreadable: { title: "Error Saving Logo", description: "The image can't be read. Please choose another." },
};

function refuse(reason: keyof typeof refusals): void {
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
