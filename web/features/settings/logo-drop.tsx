import { LOGO_MAX } from "#contract/calls/settings.ts";
import { refuseLogo, takeLogo } from "#web/features/settings/take-logo.ts";
import { FileDrop } from "#web/ui/form/file-drop.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

export type LogoDropProps = {
  /** Gets a data URL. */
  onChange: (logo: string) => void;
  disabled: boolean;
};

/** Takes the file of a logo. */
export default function LogoDrop({ onChange, disabled }: LogoDropProps) {
  const choose = async ([file]: File[]) => {
    const logo = await takeLogo(file);
    if (!logo) return;
    onChange(logo);
    toast({ title: "Logo Uploaded", description: "Save your changes to use it." });
  };
  return (
    <FileDrop
      label="Logo"
      hint="JPG or PNG up to 2MB, recommended 150x150 px"
      accept={{ "image/png": [".png"], "image/jpeg": [".jpg", ".jpeg"] }}
      maxSize={LOGO_MAX}
      disabled={disabled}
      onFiles={(files) => void choose(files)}
      onRejected={([rejected]) => refuseLogo(rejected?.reason ?? "type")}
    />
  );
}
