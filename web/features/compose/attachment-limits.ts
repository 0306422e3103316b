import { ATTACHMENT_MAX } from "#contract/attachments.ts";
import { fileLimits } from "#web/api/file-limits.ts";

/** What the create dialog takes. */
export const attachmentLimits = fileLimits(["PNG", "JPG", "PDF"], ATTACHMENT_MAX);
export const attachmentHint = "PNG, JPG, PDF up to 10MB";
