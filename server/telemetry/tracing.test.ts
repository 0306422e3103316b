import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testAppWithWorker, type WorkingApp } from "#server/testing/worker.ts";
import { until } from "#server/testing/until.ts";
import { startTracing } from "#server/telemetry/tracing.ts";

type Span = {
  traceId: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
};
type Export = { resourceSpans: { resource: unknown; scopeSpans: { spans: Span[] }[] }[] };

/** The part of an OpenTelemetry collector that takes traces as JSON. */
const exported: Export[] = [];
const collector = createServer((request, response) => {
  void json(request).then((body) => {
    exported.push(body as Export);
    response.setHeader("Content-Type", "application/json").end("{}");
  });
});
const spans = () =>
  exported
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap((s) => s.spans));

let app: WorkingApp;
let tracing: ReturnType<typeof startTracing>;

beforeAll(async () => {
  await once(collector.listen(0, "127.0.0.1"), "listening");
  const { port } = collector.address() as AddressInfo;
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `http://127.0.0.1:${port}`);
  vi.stubEnv("OTEL_BSP_SCHEDULE_DELAY", "50");
  const onProblem = (message: string) => expect(message).toBe("");
  tracing = startTracing({ roles: ["web", "worker"], onProblem });
  app = await testAppWithWorker();
});
afterAll(async () => {
  await app.close();
  await tracing.stop();
  collector.close();
});

test("one trace leads from the click to the receipt, and names no one", async () => {
  const { porchlight } = app;
  const staff = await porchlight.signedIn("admin");
  await porchlight.signedIn("tenant", { firstName: "Zebedee", email: "zebedee@example.com" });
  const body = { title: "Roof", message: "Closed today", recipients: "All Tenants", channels: ["email"] };
  await porchlight.call({ method: "POST", url: "/api/send-notification", body }, staff);
  await until(() => expect(app.channels.email.received).toHaveLength(1));
  await until(() => expect(spans().map(({ name }) => name)).toContain("settle"));
  await sql`INSERT INTO receipts (account_id, event_id, event)
    SELECT d.account_id, 'one', jsonb_build_object('what', 'delivered', 'at', now(),
      'reference', concat(v.compiled ->> 'key', '-', d.id))
    FROM deliveries d JOIN runs r ON r.id = d.run_id JOIN content_versions v ON v.id = r.content_version_id`.execute(
    porchlight.db,
  );
  await porchlight.call({ method: "GET", url: "/u/a-secret-link-token" });

  await until(() => expect(spans().map(({ name }) => name)).toContain("apply receipts"));
  const root = spans().find(({ name }) => name === "POST /api/send-notification")!;
  const trace = spans().filter(({ traceId }) => traceId === root.traceId);
  expect(trace.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "query",
      "fan out",
      "send batch",
      "claim and prepare",
      "send",
      "settle",
      "apply receipts",
    ]),
  );
  const texts = JSON.stringify(exported);
  expect(texts).toContain('"stringValue":"porchlight"');
  expect(texts).not.toMatch(/zebedee|Closed today|a-secret-link-token/i);
});

test("lines and answers of a request carry its id", async () => {
  const { porchlight } = app;
  const theirs = "a".repeat(32);
  const reply = await porchlight.call({
    method: "POST",
    url: "/api/auth/login",
    headers: { traceparent: `00-${theirs}-${"b".repeat(16)}-01` },
    body: { username: "nobody", password: "not this" },
  });
  expect(reply.statusCode).toBe(401);
  const line = porchlight.logged.find(({ security }) => security === "session.fail");
  expect(line).toMatchObject({
    requestId: expect.stringMatching(/^[0-9a-f]{12}$/),
    trace_id: expect.any(String),
  });
  await until(() => expect(JSON.stringify(spans())).toContain(line!["requestId"]));
  expect(JSON.stringify(spans())).not.toContain(theirs);
});
