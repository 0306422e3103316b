import type { CheckDialogProps } from "#web/domain/message/own-values/check/check-dialog.tsx";
import { lazyDialog } from "#web/ui/dialog/lazy-dialog.tsx";

const check = lazyDialog<CheckDialogProps>(
  () => import("#web/domain/message/own-values/check/check-dialog.tsx"),
);

/** "Check the values", of a message's file. Its code loads when a file is chosen. */
export const CheckValues = check.Dialog;
export const prefetchCheck = check.prefetch;
