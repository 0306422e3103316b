import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { Role } from "#contract/calls/auth.ts";
import type { Channel, MessageClass, NotificationStatus } from "#contract/delivery.ts";
import type { Finding } from "#contract/findings.ts";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import type { ImportProgress, ImportOverview, StatusMeaning } from "#contract/calls/imports.ts";
import type {
  DidKind,
  ImportResults,
  KeptReason,
  LeftReason,
  UndoProgress,
} from "#contract/calls/import-results.ts";
import type { ColumnMeaning } from "#contract/text/csv-header.ts";
import type { DetailCondition } from "#contract/calls/detail-conditions.ts";
import type { RowTrouble, ValueColumn } from "#contract/calls/values.ts";
import type { RecurrenceKind, ResidentDate } from "#contract/recurrence.ts";
import type { DetailKind } from "#contract/text/kept-details.ts";
import type { ScheduleValue } from "#contract/text/relative-date.ts";
import type { OccurrenceState } from "#contract/calls/schedule-replies.ts";
import type { SuppressionKind } from "#contract/calls/suppressions.ts";
import type { TemplateType } from "#contract/calls/templates.ts";

import type { DeliveryTables } from "./delivery-tables.ts";
import type { StoredRule } from "./stored-rule.ts";

/** The tables as TypeScript sees them; the migrations are the source. Ids are int8, read as numbers. */

export type Id = GeneratedAlways<number>;
export type Stamp = ColumnType<Date, Date | undefined, Date>;
export type Json<T> = ColumnType<T, string, string>;
type Findings = ColumnType<Finding[] | null, string | null | undefined, string | null>;

/** What a one-time link does. */
export type LinkPurpose = "password" | "confirmation";

export type StagedSheet = ImportOverview["sheets"][number];
/** What columns and statuses mean. */
export type Layout = { mapping: (ColumnMeaning | null)[]; statuses: Record<string, StatusMeaning> };
export type ImportChoices = Layout & {
  sheet: number;
  headerLine: number;
  property: string;
  propertyLine: number | null;
  remembered: boolean;
  decisions: Record<string, string>;
  /** How a text file was read. */
  text?: { encoding: string; garbled: string[] };
  options?: Partial<{ existing: "update" | "skip"; defaultRole: Role; groupIds: number[] }>;
};
export type ValueLayout = Pick<SheetOfValues, "columns">;
/** How a file with values is read. `fields`: of the message; `fills`: those that it fills. */
export type SheetOfValues = {
  sheet: number;
  headerLine: number;
  columns: ValueColumn[];
  property: string;
  decisions: Record<string, string>;
  fields: string[];
  fills: string[];
};
/** A row's trouble, with its candidates by their ids. */
export type StoredTrouble = Omit<RowTrouble, "candidates"> & { candidates?: readonly number[] };
/** Values of a call have only the fields that they fill. */
export type ValueChoices = SheetOfValues | Pick<SheetOfValues, "fills">;
/** How far an import is: after which line, and since when. */
export type ImportState = ImportProgress & { after: number; startedAt: string };
/** What holds of a finished import, whatever happens to its people later. */
export type ImportFigures = Pick<ImportResults, "homes" | "changed" | "left">;
export type UndoState = UndoProgress & { after: number };

export type UsersTable = {
  id: Id;
  username: string;
  email: string | null;
  phone: string | null;
  other_contacts: Generated<string>;
  first_name: string;
  last_name: string;
  role: Role;
  property_unit: string | null;
  property: string | null;
  unit: string | null;
  home_by_hand: Generated<boolean>;
  password_hash: string | null;
  password_changed_at: Date | null;
  address_confirmed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  self_registered: Generated<boolean>;
  email_unconfirmed: Generated<boolean>;
  phone_unconfirmed: Generated<boolean>;
  channels: Generated<number>;
  preferences_token: Generated<string>;
  failures_seen_at: Stamp;
  replies_seen_at: Stamp;
  schedule_failures_seen_at: Stamp;
  created_at: Stamp;
  updated_at: Stamp;
  first_steps_closed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  notices_read_through: Generated<number>;
  deleted_at: Date | null;
  folded: GeneratedAlways<string>;
  name_key: GeneratedAlways<string>;
  property_key: GeneratedAlways<string | null>;
  home_during: Generated<string | null>;
  details: ColumnType<Record<string, string>, string | undefined, string>;
  home_said: Generated<string | null>;
  email_valid: GeneratedAlways<boolean>;
  phone_valid: GeneratedAlways<boolean>;
};

export type Schema = {
  notice_reads: { user_id: number; run_id: number; read_at: Stamp };
  users: UsersTable;
  sessions: {
    token_hash: Buffer;
    user_id: number;
    created_at: Stamp;
    last_seen_at: Stamp;
    ip: string | null;
    user_agent: string | null;
    ended_at: Date | null;
    password_expired: Generated<boolean>;
    confirmed_at: Stamp;
  };
  password_links: {
    token_hash: Buffer;
    user_id: number;
    channel: Exclude<Channel, "push">;
    address: string;
    purpose: Generated<LinkPurpose>;
    created_at: Stamp;
    expires_at: Date;
  };
  sign_in_throttle: { key: string; failures: number; blocked_until: Date; updated_at: Stamp };
  logos: { hash: string; image: string; current: boolean };
  settings: {
    key: string;
    value: string;
    data_type: string;
    updated_at: Stamp;
    updated_by: number | null;
  };
  user_groups: {
    id: Id;
    name: string;
    description: Generated<string>;
    rule: Json<StoredRule | null> | null;
    built_in: Generated<boolean>;
    created_by: number | null;
    created_at: Stamp;
    updated_at: Stamp;
    place: GeneratedAlways<number>;
    folded: GeneratedAlways<string>;
    name_key: GeneratedAlways<string>;
  };
  details: {
    id: Id;
    label: string;
    field: string;
    kind: DetailKind;
    created_at: Stamp;
    updated_at: Stamp;
    of_sample: Generated<boolean>;
  };
  group_members: { group_id: number; user_id: number };
  consents: {
    id: Id;
    user_id: number;
    channel: Channel;
    allowed: boolean;
    source: string;
    actor_id: number | null;
    ip: string | null;
    at: Stamp;
    request: ColumnType<string | null, string | null | undefined, never>;
  };
  former_preference_links: { token: string; user_id: number; address: string; unconfirmed: boolean };
  suppressions: {
    channel: Channel;
    address: string;
    reason: string;
    source: string;
    delivery_id: number | null;
    created_at: Stamp;
    kind: Generated<SuppressionKind>;
    actor_id: ColumnType<number | null, number | null | undefined, never>;
    opted_out_by: ColumnType<string | null, string | null | undefined, string | null>;
    words: ColumnType<string | null, string | null | undefined, string | null>;
  };
  refusals: {
    id: Id;
    delivery_id: number;
    account_id: number;
    channel: Channel;
    address: string;
    code: string;
    detail: string | null;
    bounced: boolean;
    of_content: Generated<boolean>;
    at: Stamp;
    requeued_at: Date | null;
  };
  refused_contents: {
    run_id: number;
    account_id: number;
    reason: string;
    at: Stamp;
    tries: Generated<number>;
    retry_at: Date;
  };
  /** Rows are only added. */
  audit: {
    id: Id;
    at: Stamp;
    actor_id: number | null;
    actor_name: string;
    action: string;
    subject_type: string;
    subject_id: number | null;
    detail: Json<Record<string, unknown>>;
    ip: string | null;
    user_agent: ColumnType<string | null, string | null | undefined, never>;
    subject_name: ColumnType<string, string | undefined, never>;
    actor_username: ColumnType<string | null, never, never>;
    actor_role: ColumnType<string | null, never, never>;
    subject_username: ColumnType<string | null, never, never>;
    search_text: GeneratedAlways<string>;
  };
  templates: {
    id: Id;
    slug: string | null;
    name: string;
    type: TemplateType;
    subject: Generated<string>;
    content: string;
    class: Generated<MessageClass>;
    created_by: number | null;
    created_at: Stamp;
    updated_at: Stamp;
    added_fields: Generated<string[]>;
    archived_at: Date | null;
    version: Generated<number>;
    folded: GeneratedAlways<string>;
    name_key: GeneratedAlways<string>;
  };
  template_versions: {
    template_id: number;
    version: number;
    name: string;
    type: TemplateType;
    subject: string;
    content: string;
    added_fields: string[];
    saved_by: number | null;
    saved_at: Stamp;
  };
  imports: {
    id: Id;
    name: string;
    size: number;
    sheets: Json<StagedSheet[]>;
    choices: Json<ImportChoices | ValueChoices>;
    progress: ColumnType<ImportState | null, string | null | undefined, string | null>;
    created_by: number;
    created_at: Stamp;
    purpose: Generated<"people" | "values">;
    kept_at: Date | null;
    emptied_at: Date | null;
    finished_at: Date | null;
    result: ColumnType<ImportFigures | null, string | null | undefined, string | null>;
    undo: ColumnType<UndoState | null, string | null | undefined, string | null>;
    covers: number[] | null;
  };
  import_people: {
    import_id: number;
    person_id: number;
    kind: DidKind | "leaving" | "seen";
    at: Generated<Date>;
    joined: number[] | null;
    day: string | null;
    properties: number[] | null;
    undone: "done" | KeptReason | null;
  };
  import_rows: {
    import_id: number;
    sheet: number;
    line: number;
    cells: Json<string[]>;
    /** Of a row of values, or of one that an import left out. */
    troubles: ColumnType<StoredTrouble[] | LeftReason[] | null, string | null | undefined, string | null>;
    people: number[] | null;
  };
  person_values: {
    values_id: number;
    user_id: number;
    line: number | null;
    field_values: Json<Record<string, string>>;
  };
  import_layouts: { headers: string; layout: Json<Layout | ValueLayout>; used_at: Stamp };
  attachment_bytes: { sha256: Buffer; bytes: Buffer };
  attachments: {
    id: Id;
    sha256: Buffer;
    name: string;
    type: string;
    size: number;
    uploaded_by: number | null;
    created_at: Stamp;
  };
  notifications: {
    id: Id;
    kind: Generated<"message" | "credentials" | "test" | "notice" | "confirmation">;
    formatted: Generated<boolean>;
    title: string;
    message_type: "template" | "custom";
    template_id: number | null;
    subject: Generated<string>;
    content: string;
    field_values: Json<Record<string, string>>;
    channels: Channel[];
    audience: Json<AudienceMember[]>;
    audience_text: string;
    class: Generated<MessageClass>;
    status: NotificationStatus;
    status_reason: string | null;
    findings: Findings;
    scheduled_time: Date | null;
    sent_time: Date | null;
    attachment_ids: Generated<number[]>;
    client_key: string | null;
    client_key_hash: Buffer | null;
    created_by: number | null;
    created_by_name: string;
    created_at: Stamp;
    updated_at: Stamp;
    search_text: GeneratedAlways<string>;
    list_time: GeneratedAlways<Date>;
    edited_by: Generated<number | null>;
    edited_at: ColumnType<Date | null, Date | undefined, Date>;
    missed_when_dismissed: Generated<number | null>;
    answers_opt_out: Generated<boolean>;
    per_home: Generated<boolean>;
    skip_if: ColumnType<DetailCondition | null, string | null | undefined, string | null>;
    values_id: number | null;
  };
  notification_tallies: { status: NotificationStatus; channels: Channel[]; count: number };
  schedules: {
    id: Id;
    name: string | null;
    /** Of one by a resident's date: once, without a date. */
    recurrence: RecurrenceKind;
    day_of_week: number | null;
    day_of_month: number | null;
    date: string | null;
    time: string;
    end_time: string | null;
    zone: string | null;
    active: Generated<boolean>;
    next_run_at: Date | null;
    next_occurrence: string | null;
    planned_zone: string | null;
    template_id: number | null;
    notification_id: number | null;
    own_notification: Generated<boolean>;
    channels: Channel[] | null;
    audience: Json<AudienceMember[]> | null;
    audience_text: string | null;
    per_home: Generated<boolean | null>;
    skip_if: ColumnType<DetailCondition | null, string | null | undefined, string | null>;
    resident_date: ResidentDate | null;
    day_offset: number | null;
    date_audience: Json<AudienceMember[]> | null;
    dates_since: string | null;
    dates_day: string | null;
    dates_at: Date | null;
    next_date_at: Date | null;
    next_date_day: string | null;
    gone_recipients: ColumnType<AudienceMember[], string | undefined, string>;
    class: MessageClass | null;
    field_values: Json<Record<string, ScheduleValue>>;
    connected_channels: Generated<Channel[]>;
    problem: string | null;
    problem_at: Date | null;
    problem_code: string | null;
    findings: Findings;
    client_key: string | null;
    client_key_hash: Buffer | null;
    created_by: number | null;
    created_by_name: string;
    created_at: Stamp;
    updated_at: Stamp;
    deleted_at: Date | null;
  };
  schedule_occurrences: {
    schedule_id: number;
    occurrence: string;
    planned_for: Date;
    state: OccurrenceState;
    reason: string | null;
    findings: Findings;
    notification_id: number | null;
    by_name: string | null;
    dismissed_at: Date | null;
    at: Stamp;
  };
  calendar_links: { user_id: number; token_hash: Buffer; created_at: Stamp; last_read_at: Date | null };
} & DeliveryTables;
