import * as z from "zod";
import { api } from "#contract/api.ts";
import type { Role } from "#contract/calls/auth.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { IMPORT_MAX_ROWS } from "#contract/calls/csv.ts";
import { type ErrorCode, errorReply, errorStatus } from "#contract/errors.ts";
import { rolesWith } from "#contract/permissions.ts";
import { MOST_ROWS, MOST_WRITES } from "#server/http/budget.ts";
import { ABSOLUTE_HOURS } from "#server/http/session.ts";

/** OpenAPI 3.1 of the whole contract, made from the endpoints alone. */

type Json = Record<string, unknown>;

const guide = `Every call the console makes. Programs may use them, too.

**Signing in.** Give the program an account of its own, with the role Staff. \`POST /api/auth/login\` sets the session cookie,
which every other call needs. When a call answers 401, sign in again: a session ends after a time without calls (Session
timeout in Settings), and after ${ABSOLUTE_HOURS} hours in any case. \`password-expired\` means that the account's password is older than
Password expiry in Settings. \`password-required\` means that this call needs \`POST /api/profile/confirm-password\` first.

**Errors** have a \`code\` for programs and a \`message\` for people. \`fields\` has a sentence for each invalid field, by its path
(\`recipients.0\`). Unknown query parameters and fields are refused. A change also accepts fields that a read
of the same thing serves, and ignores those that it can't change. Fields inside lists aren't checked.

**Retrying.** Send a new \`clientKey\` with each notification, schedule or run, and the same one when you repeat the call because
no answer came: it's accepted once. Repeat a call that answers 429 after \`Retry-After\`, and one that answers 503 after a moment.

**Lists** have pages: follow \`Link\` until there is none. One account can read ${MOST_ROWS.toLocaleString("en-US")} rows in ten minutes, and make ${MOST_WRITES} changes in a minute. An import accepts
${IMPORT_MAX_ROWS.toLocaleString("en-US")} rows per call.

**Outcomes.** \`GET /api/notifications/{id}\` counts them, and \`GET /api/notifications/{id}/deliveries\` lists them person by person.
\`GET /api/events\` says when to ask again.`;

const roleNames: Record<Role, string> = { admin: "administrators", staff: "staff", tenant: "tenants" };

function callers(access: Endpoint["access"]): string {
  if (access === "public") return "Anyone can call this.";
  if (access === "signed-in") return "Any signed-in account can call this.";
  const names = rolesWith(access).map((role) => roleNames[role]);
  return `Needs the permission \`${access}\`, which ${names.join(" and ")} have.`;
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    target: "draft-2020-12",
  });
  return json;
}

/** The schemas of bodies and replies by name, which generators of clients make types of. Equal ones share the first name. */
class Components {
  readonly schemas: Record<string, Json> = {};
  readonly #names = new Map<string, string>();

  /** A reference to the schema. A list's rows have the name. */
  named(name: string, schema: Json): Json {
    const { type, items } = schema;
    if (type === "array" && isObject(items)) return { ...schema, items: this.named(`${name}Row`, items) };
    if (!isObject(schema)) return schema;
    const text = JSON.stringify(schema);
    const known = this.#names.get(text) ?? name;
    this.#names.set(text, known);
    this.schemas[known] = schema;
    return { $ref: `#/components/schemas/${known}` };
  }
}

/** Objects and choices between them. Anything else is short, and stays where it is. */
function isObject(schema: unknown): schema is Json {
  return (
    typeof schema === "object" &&
    schema !== null &&
    ["properties", "anyOf", "oneOf"].some((key) => key in schema)
  );
}

const nameOf = (...words: string[]) =>
  words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");

function parameters(schema: z.ZodType, place: "path" | "query"): Json[] {
  const { properties = {}, required = [] } = schemaOf(schema, "input") as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: value,
  }));
}

const endpointQuery = ({ query }: Endpoint) => (query instanceof z.ZodObject ? query.shape : {});

function bodyOf(endpoint: Endpoint, named: (schema: Json) => Json): Json | undefined {
  if (endpoint.upload) {
    return {
      required: true,
      description: `The file's bytes, at most ${endpoint.upload.limit}`,
      content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
    };
  }
  if (endpoint.body.type === "undefined") return undefined;
  const schema = schemaOf(endpoint.body, "input");
  // A change may also contain what a read serves.
  const closed = endpoint.method === "POST" && schema["type"] === "object";
  return {
    required: true,
    content: {
      "application/json": { schema: named({ ...schema, ...(closed && { additionalProperties: false }) }) },
    },
  };
}

function replyOf(endpoint: Endpoint, named: (schema: Json) => Json): Json {
  switch (endpoint.answer) {
    case "file":
      return {
        description: "The file",
        content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
      };
    case "events":
      return {
        description: "Server-sent events",
        content: { "text/event-stream": { schema: named(schemaOf(endpoint.reply, "output")) } },
      };
    case "list":
      return {
        description: "One page",
        headers: {
          "X-Total-Count": { description: "How many there are in total", schema: { type: "integer" } },
          ...(endpoint.path === "/api/notifications" && {
            "X-Total-Estimated": {
              description: "true if more than 5,000 were found and the total is an estimate",
              schema: { type: "string" },
            },
          }),
          ...("page" in endpointQuery(endpoint) && {
            Link: {
              description: 'The next page, if there is one: <…>; rel="next"',
              schema: { type: "string" },
            },
          }),
        },
        content: { "application/json": { schema: named(schemaOf(endpoint.reply, "output")) } },
      };
    case "json":
      return {
        description: "Done",
        content: { "application/json": { schema: named(schemaOf(endpoint.reply, "output")) } },
      };
  }
}

function operation(family: string, name: string, endpoint: Endpoint, components: Components): Json {
  const named = (what: string) => (schema: Json) => components.named(nameOf(family, name, what), schema);
  const body = bodyOf(endpoint, named("body"));
  return {
    operationId: `${family}.${name}`,
    tags: [family],
    summary: endpoint.summary,
    description: [
      callers(endpoint.access),
      ...(endpoint.confirmed ? ["The password must have been entered within the last ten minutes."] : []),
      ...(endpoint.export ? [`At most ${endpoint.export.most} times in ten minutes.`] : []),
    ].join(" "),
    ...(endpoint.access !== "public" && { security: [{ session: [] }] }),
    parameters: [
      ...(endpoint.params.type === "undefined" ? [] : parameters(endpoint.params, "path")),
      ...(endpoint.query.type === "undefined" ? [] : parameters(endpoint.query, "query")),
    ],
    ...(body && { requestBody: body }),
    responses: {
      [endpoint.status]: replyOf(endpoint, named("reply")),
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

export function openApi(version: string): Json {
  const paths: Record<string, Json> = {};
  const components = new Components();
  for (const [family, endpoints] of Object.entries(api)) {
    for (const [name, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
      paths[endpoint.path] = {
        ...paths[endpoint.path],
        [endpoint.method.toLowerCase()]: operation(family, name, endpoint, components),
      };
    }
  }
  const codes = (Object.entries(errorStatus) as [ErrorCode, number][]).map(
    ([code, status]) => `${status} ${code}`,
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Porchlight",
      version,
      description: guide,
    },
    paths,
    components: {
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: "porchlight",
          description: "Over https, its name is __Host-porchlight.",
        },
      },
      schemas: { ...components.schemas, Error: schemaOf(errorReply, "output") },
      responses: {
        Error: {
          description: `An error with a message for people: ${codes.join(", ")}`,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      },
    },
  };
}
