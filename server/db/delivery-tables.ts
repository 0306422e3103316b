import type { SkipIf } from "#contract/calls/detail-conditions.ts";
import type { Generated, GeneratedAlways, ColumnType } from "kysely";
import type { Channel, DeliveryStatus, MessageClass, PersonOutcome } from "#contract/delivery.ts";
import type { Reason } from "#contract/delivery-reasons.ts";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import type { AccountReason } from "#contract/refusals/account-reasons.ts";
import type { Id, Json, Stamp } from "./schema.ts";

/** What happened to a delivery besides its tries: what we did, and what its provider reported. */
export type DeliveryEventKind =
  | "sent-again"
  | "taken-over"
  | "repeated"
  | "requeued"
  | "answered-late"
  | "accepted"
  | "delayed"
  | "delivered"
  | "bounced"
  | "failed"
  | "opened"
  | "clicked"
  | "complained"
  | "unsubscribed"
  | "replied";

/** The tables that the delivery engine writes: runs, deliveries, their outcomes, and the accounts that send. */
export type DeliveryTables = {
  content_versions: {
    id: Id;
    notification_id: number;
    title: string;
    subject: string;
    content: string;
    field_values: Json<Record<string, string>>;
    attachment_ids: number[];
    compiled: Json<unknown>;
    created_at: Stamp;
  };
  runs: {
    id: Id;
    notification_id: number;
    content_version_id: number;
    class: MessageClass;
    channels: Channel[];
    audience: Json<AudienceMember[]>;
    state: "fanning-out" | "sending" | "finished" | "cancelled";
    planned_for: Date | null;
    started_by: Generated<number | null>;
    sender: Generated<unknown>;
    fanout_cursor: Generated<number>;
    people: Generated<number>;
    opened: Generated<number>;
    clicked: Generated<number>;
    simulated_channels: Generated<Channel[]>;
    /** Of the request or the scheduler that started it; null: not traced. */
    traceparent: Generated<string | null>;
    /** Confirms to one number that it gets nothing more. */
    answers_opt_out: Generated<boolean>;
    /** Each home gets one message. */
    per_home: Generated<boolean>;
    skip_if: ColumnType<SkipIf | null, string | null | undefined, string | null>;
    created_at: Stamp;
    finished_at: Date | null;
  };
  run_counts: {
    run_id: number;
    channel: Channel;
    status: DeliveryStatus;
    reason: Reason | "";
    shard: Generated<number>;
    count: number;
  };
  run_people: {
    user_id: number;
    run_id: number;
    tally: number;
    moved: Generated<number>;
    place: GeneratedAlways<number>;
  };
  run_outcomes: {
    run_id: number;
    outcome: PersonOutcome;
    waiting: boolean;
    shard: Generated<number>;
    count: number;
  };
  workers: { token: GeneratedAlways<number>; name: string; started_at: Stamp; lease_until: Date };
  worker_journal: {
    token: number;
    id: Id;
    at: Stamp;
    begun: number[];
    claims: number[];
    ended: Json<unknown>;
  };
  accounts: {
    id: Id;
    environment_key: string | null;
    webhook_key: Generated<string>;
    channel: Channel;
    kind: string;
    name: string;
    source: "built-in" | "environment" | "console";
    simulated: Generated<boolean>;
    weight: Generated<number>;
    settings: ColumnType<Record<string, unknown>, string | undefined, string>;
    enabled: Generated<boolean>;
    state: Generated<"unchecked" | "ok" | "resting" | "paused">;
    state_reason: string | null;
    state_because: Json<AccountReason> | null;
    state_at: Stamp;
    retry_at: Date | null;
    slowed_at: Date | null;
    setbacks: Generated<number>;
    accepted_at: Date | null;
    on_trial: Generated<boolean>;
    rate_per_second: number | null;
    tokens: Generated<number>;
    tokens_at: Stamp;
  };
  deliveries: {
    /** `next_delivery_id(run_id)` */
    id: number;
    run_id: number;
    user_id: number;
    channel: Channel;
    address: string | null;
    status: DeliveryStatus;
    reason: Reason | null;
    detail: string | null;
    priority: number;
    due_at: Stamp;
    expires_at: Date;
    attempts: Generated<number>;
    round: Generated<number>;
    failures: Generated<number>;
    unconfirmed: Generated<number>;
    lost_leases: Generated<number>;
    lease_token: number | null;
    claims: Generated<number>;
    begun_at: Date | null;
    account_id: number | null;
    provider_message_id: string | null;
    field_values: Json<Record<string, string>>;
    person_name: string;
    person_unit: string | null;
    simulated: Generated<boolean>;
    counted: Generated<boolean>;
    shared_with: number | null;
    sharers: number[] | null;
    accepted_at: Date | null;
    delivered_at: Date | null;
    opened_at: Date | null;
    clicked_at: Date | null;
    created_at: Stamp;
    updated_at: Stamp;
  };
  attempts: {
    delivery_id: number;
    n: number;
    account_id: number;
    lease_token: number;
    started_at: Date;
    ended_at: Stamp;
    outcome: "accepted" | "refused" | "throttled" | "unavailable" | "misconfigured" | "uncertain";
    code: string | null;
    detail: string | null;
    next_try_at: Date | null;
  };
  delivery_events: {
    id: Id;
    delivery_id: number;
    at: Stamp;
    kind: DeliveryEventKind;
    detail: string | null;
  };
  resends: {
    id: Id;
    run_id: number;
    unconfirmed: boolean;
    include_reached: Generated<boolean>;
    requeued: Generated<number>;
    unreachable: Generated<number>;
    created_at: Stamp;
    finished_at: Date | null;
  };
  resend_people: { resend_id: number; sharing: boolean; user_id: number };
  receipts: {
    id: Id;
    account_id: number;
    call_id: number | null;
    event_id: string;
    event: Json<unknown>;
    delivery_id: number | null;
    received_at: Stamp;
    retry_at: Stamp;
    processed_at: Date | null;
  };
  /** Their deliveries are in files, unless they were brought back or discarded. */
  archived_months: {
    month: number;
    begun_at: Stamp;
    /** Null while the files are being written, and once they are discarded. */
    manifest: string | null;
    archived_at: Date | null;
    restored_at: Date | null;
    late_receipts: Generated<number>;
  };
  webhook_calls: { id: Id; account_id: number; body: Buffer; received_at: Stamp };
};
