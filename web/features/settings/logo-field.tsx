import { Trash2 } from "lucide-react";
import { Suspense, use, type ComponentProps } from "react";
import { LOGO_MAX } from "#contract/calls/settings.ts";
import { refuseLogo, takeLogo } from "#web/features/settings/take-logo.ts";
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
    const logo = await takeLogo(file);
    if (!logo) return;
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
            onRejected={([rejected]) => refuseLogo(rejected?.reason ?? "type")}
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
