import type { MessageForm } from "#contract/calls/notifications.ts";
import type { Template } from "#contract/calls/templates.ts";
import { templateSubject } from "#web/domain/message/fields.ts";

type Known = {
  /** The chosen one, in template mode. */
  template: Template | undefined;
  templates: readonly Template[];
  ownText: boolean;
};

/**
 * What changes if `moved` puts new dates into each text of the message. Only a custom message can differ from a template in
 * its text or subject. It stays as urgent as the template, and its title is the subject of its emails.
 */
export function withNewDates(form: MessageForm, known: Known, moved: (text: string) => string) {
  const { template, ownText } = known;
  const fromTemplate = template !== undefined && !ownText;
  const text = fromTemplate ? template.contentText : form.customMessage;
  const subject = templateSubject(form, known) ?? "";
  const movesSubject = moved(subject) !== subject;
  const changes: Partial<MessageForm> = {
    title: moved(movesSubject ? subject : form.title),
    fieldValues: Object.fromEntries(
      Object.entries(form.fieldValues).map(([field, value]) => [field, moved(value)]),
    ),
  };
  if (moved(text) === text && !movesSubject) return changes;
  changes.customMessage = moved(text);
  if (!fromTemplate && !movesSubject) return changes;
  changes.messageType = "custom";
  if (template) {
    changes.sourceClass = template.class;
    changes.highPriority = form.highPriority ?? template.class === "emergency";
  }
  return changes;
}
