import * as z from "zod";
import type { AuditAction } from "#contract/calls/audit-actions.ts";
import type { Permission } from "#contract/permissions.ts";
import "#contract/sentences.ts";

/** Who may call. `public`: anyone; `signed-in`: any account, tenants too; or anyone with the permission. */
export type Access = "public" | "signed-in" | Permission;
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * The kind of reply: one JSON value; a JSON array with its total in `X-Total-Count` (and `X-Total-Estimated` if that is
 * an estimate); the bytes of a file; or a stream of server-sent events whose data matches the reply schema.
 */
type Answer = "json" | "list" | "file" | "events";

/** At most `limit` bytes. An error about the file is reported for `field`. */
export type Upload = { limit: number; field: string };

/** A call that exports data: its action in the audit log, and how often one person can use it within ten minutes. */
type Export = { action: AuditAction; most: number };

type Shape = z.ZodType;

export type Endpoint<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
  Reply extends Shape = Shape,
  A extends Answer = Answer,
  Who extends Access = Access,
> = {
  method: Method;
  /** `{name}` marks a parameter. */
  path: string;
  access: Who;
  summary: string;
  params: Params;
  query: Query;
  body: Body;
  reply: Reply;
  status: number;
  answer: A;
  /** The body is a file's bytes instead of JSON. */
  upload: Upload | undefined;
  /** The largest JSON body in bytes; undefined means the server's default. */
  bodyLimit: number | undefined;
  /** How many values a JSON body may have; undefined means the server's default. */
  mostValues: number | undefined;
  export: Export | undefined;
  /** It could take over an account or a channel: the password must have been entered within the last minutes. */
  confirmed: boolean;
  /** It also works while an administrator still has to set up a second factor. */
  duringSetUp: boolean;
  /** It also works in a session that began with an expired password. */
  withExpiredPassword: boolean;
};

const nothing = z.undefined();
type Nothing = typeof nothing;

type EndpointSpec<
  P extends Shape,
  Q extends Shape,
  B extends Shape,
  R extends Shape,
  A extends Answer,
  Who extends Access,
> = {
  method: Method;
  path: string;
  access: Who;
  summary: string;
  reply: R;
  params?: P;
  query?: Q;
  body?: B;
  status?: number;
  answer?: A;
  upload?: Upload;
  bodyLimit?: number;
  mostValues?: number;
  export?: Export;
  confirmed?: boolean;
  duringSetUp?: boolean;
  withExpiredPassword?: boolean;
};

/** Declares one API call. The form's error messages, the types on both sides, access and OpenAPI come from it. */
export function endpoint<
  R extends Shape,
  const Who extends Access,
  P extends Shape = Nothing,
  Q extends Shape = Nothing,
  B extends Shape = Nothing,
  const A extends Answer = "json",
>(spec: EndpointSpec<P, Q, B, R, A, Who>): Endpoint<P, Q, B, R, A, Who> {
  return {
    // These are the values of the type parameters' defaults.
    params: nothing as unknown as P,
    query: nothing as unknown as Q,
    body: nothing as unknown as B,
    status: 200,
    answer: "json" as A,
    upload: undefined,
    bodyLimit: undefined,
    mostValues: undefined,
    export: undefined,
    confirmed: false,
    duringSetUp: false,
    withExpiredPassword: false,
    ...spec,
  };
}

export type ParamsOf<E extends Endpoint> = z.output<E["params"]>;
export type QueryOf<E extends Endpoint> = z.output<E["query"]>;
export type BodyOf<E extends Endpoint> = z.output<E["body"]>;
export type ReplyOf<E extends Endpoint> = z.output<E["reply"]>;
/** What a caller sends: fields with defaults are optional. */
export type QueryIn<E extends Endpoint> = z.input<E["query"]>;
export type BodyIn<E extends Endpoint> = z.input<E["body"]>;
