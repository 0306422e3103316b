import { createContext, use, useState, type ReactNode } from "react";
import {
  FormProvider,
  useFormContext,
  useWatch,
  type DefaultValues,
  type Resolver,
  type UseFormReturn,
} from "react-hook-form";
import type { MessageForm } from "#contract/calls/notifications.ts";
import { templates as templateCalls, type Template } from "#contract/calls/templates.ts";
import { fileLimits, type FileLimits } from "#web/api/file-limits.ts";
import { useRead, useReadList } from "#web/api/use-read.ts";
import { useUploads, type Uploads } from "#web/api/use-uploads.ts";
import { askedFields, findTemplate, savedFields } from "#web/domain/message/fields.ts";
import { usePreview, type PreviewState } from "#web/domain/message/use-preview.ts";
import { useReach, type ReachState } from "#web/domain/message/use-reach.ts";
import { useOrganizationClock, type OrganizationClock } from "#web/domain/organization-clock.ts";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

/** What a message depends on besides its own fields. */
export type Surroundings = {
  templates: readonly Template[];
  /** Undefined while unknown. Then only the server checks times. */
  clock: Pick<OrganizationClock, "read"> | undefined;
  /** The text of a template may be changed for this message; `customMessage` holds it. */
  ownText: boolean;
};

type MessageFormApi<Form extends MessageForm> = UseFormReturn<Form, Surroundings, Form>;

export type MessageState = Surroundings & {
  /** The current values of the form. */
  values: MessageForm;
  /** Its dates may be relative to the run. */
  repeats: boolean;
  clock: OrganizationClock | undefined;
  templatesRead: { loading: boolean; failed: boolean; retry: () => void };
  /** The chosen template, in template mode. */
  template: Template | undefined;
  /** What the sender has to fill in. */
  askedFields: string[];
  /** Whose values a save keeps (`savedFields`). */
  savedFields: string[];
  reach: ReachState;
  preview: PreviewState;
  uploads: Uploads;
  files: FileRules;
  /** Waits for running uploads; false, with an error at the field, if one fails. */
  filesArrived: () => Promise<boolean>;
  /** The filled form with the files that arrived since it was validated. */
  withFiles: <Filled extends MessageForm>(filled: Filled) => Filled;
};

type FileRules = {
  limits: FileLimits;
  hint: string;
  /** Shown if there are none. */
  none?: string;
};

type Options<Form extends MessageForm> = {
  defaultValues: Form;
  resolver: Resolver<Form, Surroundings, Form>;
  /** Omitted if the message has no attachments. */
  files?: FileRules;
  ownText?: boolean;
  /** It recurs. */
  repeats?: (form: Form) => boolean;
  /** The message as it will be sent, if that differs from the form's fields. */
  asSent?: (form: Form, clock: OrganizationClock | undefined) => MessageForm;
};

const noFiles: FileRules = { limits: fileLimits([], 0), hint: "" };

const PICKER_MAX = 100;

/** The available templates, plus the selected one even if it has been archived. */
function useTemplates(chosen: string) {
  const list = useReadList(templateCalls.list, { query: { sort: "choice", pageSize: PICKER_MAX } });
  const offered = list.data?.rows ?? [];
  const missing = chosen !== "" && list.data !== undefined && !findTemplate(offered, chosen);
  const one = useRead(templateCalls.read, { params: { id: Number(chosen) } }, { enabled: missing });
  return {
    templates: missing && one.data ? [...offered, one.data] : offered,
    templatesRead: {
      loading: list.isPending || (missing && one.isPending),
      failed: list.isLoadingError,
      retry: () => void list.refetch(),
    },
  };
}

/** A message form: its fields, and what is known about the message while it is being written. */
export function useMessageForm<Form extends MessageForm>(options: Options<Form>) {
  const { defaultValues, resolver, files = noFiles, ownText = false, repeats, asSent } = options;
  const clock = useOrganizationClock();
  const [chosen, setChosen] = useState(defaultValues.templateId);
  const { templates, templatesRead } = useTemplates(chosen);
  const surroundings = { templates, clock, ownText };
  const form = useCheckedForm<Form, Surroundings, Form>({
    defaultValues: defaultValues as DefaultValues<Form>,
    resolver,
    context: surroundings,
    // The first invalid field on the page gets the focus, not the first one registered (use-save.ts).
    shouldFocusError: false,
  });
  const message = form as unknown as MessageFormApi<MessageForm>;
  const { control, getValues, setError, setValue } = message;
  const written = useWatch({ control }) as Form;
  const values = asSent ? asSent(written, clock) : written;
  if (values.templateId !== chosen) setChosen(values.templateId);
  const uploads = useUploads({
    limits: files.limits,
    present: () => getValues("attachments"),
    onArrived: (file) => setValue("attachments", [...getValues("attachments"), file], { shouldDirty: true }),
  });
  const state: MessageState = {
    ...surroundings,
    values,
    repeats: repeats?.(written) ?? false,
    templatesRead,
    template: values.messageType === "template" ? findTemplate(templates, values.templateId) : undefined,
    askedFields: askedFields(values, surroundings),
    savedFields: savedFields(values, surroundings),
    reach: useReach(values, surroundings),
    preview: usePreview(values, surroundings),
    uploads,
    files,
    async filesArrived() {
      if (await uploads.settled()) return true;
      setError("attachments", {
        type: "upload",
        message: "One of the files isn't attached. Remove it to continue without it.",
      });
      return false;
    },
    withFiles: (filled) => ({ ...filled, attachments: getValues("attachments") }),
  };
  return { form, message: state };
}

type Shared = MessageState & { busy: boolean };
const Shared = createContext<Shared | null>(null);

type ProviderProps<Form extends MessageForm> = {
  form: MessageFormApi<Form>;
  message: MessageState;
  /** It is being sent or saved, so nothing in it can be changed: the fieldset is disabled. */
  busy: boolean;
  children: ReactNode;
};

/** Wraps the sections of a message in any dialog. */
export function MessageProvider<Form extends MessageForm>(props: ProviderProps<Form>) {
  const { form, message, busy, children } = props;
  return (
    <FormProvider {...form}>
      <Shared value={{ ...message, busy }}>{children}</Shared>
    </FormProvider>
  );
}

/** The message around this section, and its form. */
export function useMessage(): Shared & { form: UseFormReturn<MessageForm> } {
  const shared = use(Shared);
  if (!shared) throw new Error("A section of a message stands inside a MessageProvider");
  return { ...shared, form: useFormContext<MessageForm>() };
}
