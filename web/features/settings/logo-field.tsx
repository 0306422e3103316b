import { Trash2 } from "lucide-react";
import { Suspense } from "react";
import type { LogoDropProps } from "#web/features/settings/logo-drop.tsx";
import { CompanyLogo } from "#web/ui/page/brand.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { FieldError } from "#web/ui/form/field.tsx";
import { lazyComponent } from "#web/ui/browser/lazy-component.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";

// A tenth of what a screen may weigh.
const LogoDrop = lazyComponent<LogoDropProps>(() => import("#web/features/settings/logo-drop.tsx"));

type Props = {
  /** A data URL; "" without a logo. */
  value: string;
  onChange: (logo: string) => void;
  error: string | undefined;
  disabled: boolean;
};

/** The logo as it will look, and the file it comes from. It is stored with the form. */
export function LogoField({ value, onChange, error, disabled }: Props) {
  return (
    <div className="flex flex-col gap-4 sm:flex-row sm:items-start">
      <CompanyLogo src={value} className="border border-line bg-paper" />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-3 *:w-full">
        <Suspense fallback={<Skeleton className="h-19" />}>
          <LogoDrop onChange={onChange} disabled={disabled} />
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
