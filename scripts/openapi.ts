import * as z from "zod";
import { api } from "#contract/api.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import { type ErrorCode, errorReply, errorStatus } from "#contract/errors.ts";

/** OpenAPI 3.1 of the whole contract, made from the endpoints alone. */

type Json = Record<string, unknown>;

const access: Record<Endpoint["access"], string> = {
  public: "Anyone can call this.",
  "signed-in": "Any signed-in account can call this.",
  staff: "Administrators and staff can call this.",
  admin: "Only administrators can call this.",
};

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    target: "draft-2020-12",
  });
  return json;
}

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

function bodyOf(endpoint: Endpoint): Json | undefined {
  if (endpoint.upload) {
    return {
      required: true,
      description: `The file's bytes, at most ${endpoint.upload.limit}`,
      content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
    };
  }
  if (endpoint.body.type === "undefined") return undefined;
  return { required: true, content: { "application/json": { schema: schemaOf(endpoint.body, "input") } } };
}

function replyOf(endpoint: Endpoint): Json {
  switch (endpoint.answer) {
    case "file":
      return {
        description: "The file",
        content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
      };
    case "events":
      return {
        description: "Server-sent events",
        content: { "text/event-stream": { schema: schemaOf(endpoint.reply, "output") } },
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
        content: { "application/json": { schema: schemaOf(endpoint.reply, "output") } },
      };
    case "json":
      return {
        description: "Done",
        content: { "application/json": { schema: schemaOf(endpoint.reply, "output") } },
      };
  }
}

function operation(family: string, name: string, endpoint: Endpoint): Json {
  const body = bodyOf(endpoint);
  return {
    operationId: `${family}.${name}`,
    tags: [family],
    summary: endpoint.summary,
    description: access[endpoint.access],
    ...(endpoint.access !== "public" && { security: [{ session: [] }] }),
    parameters: [
      ...(endpoint.params.type === "undefined" ? [] : parameters(endpoint.params, "path")),
      ...(endpoint.query.type === "undefined" ? [] : parameters(endpoint.query, "query")),
    ],
    ...(body && { requestBody: body }),
    responses: {
      [endpoint.status]: replyOf(endpoint),
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

export function openApi(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [family, endpoints] of Object.entries(api)) {
    for (const [name, endpoint] of Object.entries(endpoints) as [string, Endpoint][]) {
      paths[endpoint.path] = {
        ...paths[endpoint.path],
        [endpoint.method.toLowerCase()]: operation(family, name, endpoint),
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
      description: "Every call the console makes. The session cookie signs you in.",
    },
    paths,
    components: {
      securitySchemes: { session: { type: "apiKey", in: "cookie", name: "porchlight" } },
      responses: {
        Error: {
          description: `An error with a message for people: ${codes.join(", ")}`,
          content: { "application/json": { schema: schemaOf(errorReply, "output") } },
        },
      },
    },
  };
}
