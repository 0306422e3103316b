import type { NotificationDetail } from "#contract/calls/notifications.ts";
import { When } from "#web/ui/time/when.tsx";

type Props = { notification: NotificationDetail };

/** When, by whom and to whom, in one line. */
export function Summary({ notification }: Props) {
  const { sent_time, sentBy, createdBy, recipients, status } = notification;
  // The author is not repeated if they also sent it.
  const sentByAuthor = sent_time !== null && sentBy?.who === "person" && sentBy.name === createdBy;
  const nowhere = status === "Draft" && recipients === "";
  return (
    <>
      {!nowhere && <Way notification={notification} />}
      {!nowhere && !sentByAuthor && " · "}
      {!sentByAuthor && <Authors notification={notification} word={nowhere ? "Created" : "created"} />}
      <Late seconds={notification.progress?.lateSeconds ?? 0} />
    </>
  );
}

/** Its progress, and its recipients. */
function Way({ notification }: Props) {
  const { status, sent_time, scheduled_time, sentTime, recipients } = notification;
  const how = (
    <>
      {notification.perHome && ", one message per home"}
      <FromFile notification={notification} />
    </>
  );
  const to = (
    <>
      {" to "}
      <bdi dir="ltr" translate="no">
        {recipients}
      </bdi>
      {how}
    </>
  );
  if (sent_time) {
    return (
      <>
        Sent <When at={sent_time} as="sentence" />
        <Sender notification={notification} />
        {to}
      </>
    );
  }
  if (status === "Recurring") {
    return (
      <>
        {sentTime}
        {to}
      </>
    );
  }
  if (scheduled_time && status !== "Draft") {
    return (
      <>
        {status === "Scheduled" ? "Goes out" : "Was scheduled for"} <When at={scheduled_time} as="sentence" />
        {to}
      </>
    );
  }
  return (
    <>
      To{" "}
      <bdi dir="ltr" translate="no">
        {recipients}
      </bdi>
      {how}
    </>
  );
}

/** Which file has a value for each person, if it isn't named as the recipients. */
function FromFile({ notification: { values, audience } }: Props) {
  if (!values?.name || audience.some(({ type }) => type === "file")) return null;
  return (
    <>
      {", with values from "}
      <bdi translate="no">{values.name}</bdi>
    </>
  );
}

function Sender({ notification: { sentBy } }: Props) {
  switch (sentBy?.who) {
    case undefined:
      return null;
    case "schedule":
      return " by its schedule";
    case "person":
      return (
        <>
          {" by "}
          <bdi translate="no">{sentBy.name}</bdi>
        </>
      );
    default:
      return sentBy satisfies never;
  }
}

/** Who wrote it and, while it waits, who changed it since. */
function Authors({ notification, word }: Props & { word: string }) {
  const { sent_time, createdBy, createdAt, edited } = notification;
  const by = <bdi translate="no">{createdBy}</bdi>;
  if (sent_time) {
    return (
      <>
        {word} by {by}
      </>
    );
  }
  if (!edited) {
    return (
      <>
        {word} <When at={createdAt} as="ago" /> by {by}
      </>
    );
  }
  return (
    <>
      {word} by {by} · edited <When at={edited.at} as="ago" /> by <bdi translate="no">{edited.by}</bdi>
    </>
  );
}

function Late({ seconds }: { seconds: number }) {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return null;
  const words = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return <span className="text-warn">. Began {words} after its planned time.</span>;
}
