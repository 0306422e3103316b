import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, type SyntheticEvent } from "react";
import { flushSync } from "react-dom";
import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import type { Endpoint } from "#contract/endpoint.ts";
import { ApiError, CancelledError } from "#web/api/call-errors.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { refresh } from "#web/api/use-read.ts";
import { toast, type ToastInput } from "#web/ui/feedback/toast-store.ts";

type Options<Form extends FieldValues, Reply, Stored extends { updatedAt: string }> = {
  // We do not know the type of the resolver's context.
  // oxlint-disable-next-line typescript/no-explicit-any
  form: UseFormReturn<Form, any, Form>;
  /** Makes the call with a form that passed its validation. */
  save: (filled: Form) => Promise<Reply>;
  /** Reads that a save makes stale. */
  refreshes: Endpoint[];
  /** Checked before the call; false cancels it: a question was asked, or an error was put on its field. */
  ready?: (filled: Form) => boolean | Promise<boolean>;
  /** The toast on success. */
  saved: (reply: Reply) => ToastInput;
  /** The toast on failure, with the server's sentence. */
  failed: (reason: string) => Pick<ToastInput, "title" | "description">;
  /** No toast if the sentences are already shown at their fields. */
  fieldsOnly?: boolean;
  /** Nothing is unsaved any longer when it is called. */
  onSaved: (reply: Reply) => void;
  /** Work that is not in the form, and that closing it would lose. */
  besides?: boolean;
  /** The form's name for a path in the server's reply; by default the first part of the path. */
  fieldOf?: (path: string) => string | undefined;
  /** Handles an error in another way and returns true; false leaves it to fields and toast. */
  instead?: (error: unknown, filled: Form) => boolean | Promise<boolean>;
  /** For data that someone else may change while it is edited here. */
  versions?: {
    /** Its version when the form was filled; undefined for something new. */
    stored: Stored | undefined;
    setStored: (stored: Stored) => void;
    read: (stored: Stored) => Promise<Stored>;
    formOf: (stored: Stored) => Form;
  };
};

/** What the dialog around the form needs to know (save-dialog.tsx). */
export type Saving = {
  saving: boolean;
  /** There are unsaved changes, or changes whose save has no answer yet. */
  unsaved: boolean;
  /** Spread onto the form. */
  form: {
    ref: React.Ref<HTMLFormElement>;
    noValidate: true;
    onSubmit: (event: SyntheticEvent) => void;
  };
  /** It was changed elsewhere meanwhile, so nothing was saved. */
  conflict: { takeTheirs: () => void; keepMine: () => void } | undefined;
};

/**
 * Saves a form: one call at a time, a toast with the result, the server's sentences at their fields and the focus on
 * the first of them. A failure leaves the form as it is.
 */
export function useSave<Form extends FieldValues, Reply, Stored extends { updatedAt: string }>(
  options: Options<Form, Reply, Stored>,
) {
  const { form, versions, fieldOf = (path) => path.split(".")[0] } = options;
  const client = useQueryClient();
  const element = useRef<HTMLFormElement>(null);
  const [saving, setSaving] = useState(false);
  const [done, setDone] = useState(false);
  const [newer, setNewer] = useState<Stored>();
  // State updates with the next render, and a second click may come before that.
  const busy = useRef(false);

  // What is disabled while it is saved loses the focus.
  const focused = useRef<Element>(null);
  useEffect(() => {
    if (saving || document.activeElement !== document.body) return;
    if (focused.current instanceof HTMLElement) focused.current.focus({ preventScroll: true });
  }, [saving]);

  // A frame can come before React renders, so the effect of a render that includes the errors moves the focus.
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals === 0) return;
    element.current?.querySelector<HTMLElement>(':is([aria-invalid="true"], [data-invalid])')?.focus();
  }, [refusals]);
  /** The first invalid field in reading order, once it is rendered as invalid. */
  const focusFirstError = () => setRefusals((times) => times + 1);
  const submit = async (event?: SyntheticEvent) => {
    let invalid = false;
    await form.handleSubmit(
      (filled) => run(filled),
      () => {
        invalid = true;
      },
    )(event);
    // The form has its errors only now.
    if (invalid) focusFirstError();
  };

  const run = async (filled: Form, other: Partial<Options<Form, Reply, Stored>> = {}) => {
    const { ready, save, saved, failed, onSaved, instead } = { ...options, ...other };
    if (busy.current) return;
    busy.current = true;
    focused.current = document.activeElement;
    setSaving(true);
    setDone(false);
    try {
      if (ready && !(await ready(filled))) return focusFirstError();
      const reply = await save(filled);
      void refresh(client, ...options.refreshes);
      toast(saved(reply));
      // What follows may change the URL, and the guard must not ask about that.
      flushSync(() => setDone(true));
      onSaved(reply);
    } catch (error) {
      if (error instanceof CancelledError) return undefined;
      if (!(await instead?.(error, filled))) await refuse(error, failed);
    } finally {
      busy.current = false;
      setSaving(false);
    }
    return undefined;
  };

  const refuse = async (error: unknown, failed: typeof options.failed) => {
    const stored = versions?.stored;
    if (stored && error instanceof ApiError && error.code === "conflict") {
      // A conflict is only about another change if the version differs.
      const now = await versions.read(stored).catch(() => undefined);
      if (now && now.updatedAt !== stored.updatedAt) return setNewer(now);
    }
    const reason = reasonOf(error);
    const sentences = Object.entries(error instanceof ApiError ? error.fields : {}).flatMap(
      ([path, message]) => {
        const name = fieldOf(path) ?? "";
        return (name.split(".")[0] ?? "") in form.getValues() ? [{ name: name as Path<Form>, message }] : [];
      },
    );
    for (const { name, message } of sentences) form.setError(name, { type: "server", message });
    if (sentences.length > 0) focusFirstError();
    if (sentences.length === 0 || !options.fieldsOnly) toast({ ...failed(reason), variant: "destructive" });
  };

  const frame: Saving = {
    saving,
    unsaved: (form.formState.isDirty || options.besides === true) && !done,
    form: {
      ref: element,
      noValidate: true,
      onSubmit: (event) => void submit(event),
    },
    conflict:
      newer && versions?.stored
        ? {
            takeTheirs() {
              versions.setStored(newer);
              form.reset(versions.formOf(newer));
              setNewer(undefined);
            },
            // What wasn't changed here is shown as it is in the newer version, because that is what is saved.
            keepMine() {
              const [before, theirs] = [versions.formOf(versions.stored!), versions.formOf(newer)];
              const mine = Object.entries(structuredClone(form.getValues())).filter(
                ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
              );
              // A form may follow what is stored, and overwrite its values in place.
              flushSync(() => {
                versions.setStored(newer);
                setNewer(undefined);
              });
              form.reset(theirs);
              form.reset({ ...theirs, ...Object.fromEntries(mine) }, { keepDefaultValues: true });
            },
          }
        : undefined,
  };
  return {
    ...frame,
    /** The version on the server since a save was refused because of it. */
    newer,
    submit: () => void submit(),
    /** Saves without the form's validation, in the given way. */
    run,
    focusFirstError,
  };
}
