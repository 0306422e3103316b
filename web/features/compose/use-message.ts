import { useWatch } from "react-hook-form";
import type { Control } from "react-hook-form";
import type { NotificationForm } from "#contract/notifications.ts";
import { templates } from "#contract/templates.ts";
import type { Template } from "#contract/templates.ts";
import { useReadList } from "#web/api/use-read.ts";
import { askedFieldsFor, findTemplate } from "#web/features/compose/message-fields.ts";
import type { RulesContext } from "#web/features/compose/rules.ts";

export type Templates = { rows: readonly Template[]; loading: boolean; failed: boolean; retry: () => void };

const none: readonly Template[] = [];

export function useTemplates(): Templates {
  const { data, isPending, isError, refetch } = useReadList(templates.list);
  return { rows: data?.rows ?? none, loading: isPending, failed: isError, retry: () => void refetch() };
}

export type Message = {
  templates: Templates;
  /** The chosen template, in template mode. */
  template: Template | undefined;
  askedFields: string[];
};

/** What the form says now, and what it asks for. */
export function useMessage(
  control: Control<NotificationForm, RulesContext, NotificationForm>,
  known: Templates,
): Message {
  const [title, messageType, templateId, customMessage] = useWatch({
    control,
    name: ["title", "messageType", "templateId", "customMessage"],
  });
  return {
    templates: known,
    template: messageType === "template" ? findTemplate(known.rows, templateId) : undefined,
    askedFields: askedFieldsFor({ title, messageType, templateId, customMessage }, known.rows),
  };
}
