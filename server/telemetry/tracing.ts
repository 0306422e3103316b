import { hostname } from "node:os";
import { FastifyOtelInstrumentation } from "@fastify/otel";
import {
  context,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider, type SpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { FastifyRequest } from "fastify";
import { useTracing, type SpanOptions } from "./signals.ts";

type TracingOptions = {
  roles: readonly string[];
  onProblem: (message: string) => void;
};

/**
 * Sends traces to an OpenTelemetry collector. The standard OTEL_* variables say where to, how many and under which name.
 * Start it before the database is opened and the web server is built.
 */
export function startTracing({ roles, onProblem }: TracingOptions): { stop(): Promise<void> } {
  const report = (message: string) => onProblem(message);
  const ignore = () => undefined;
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      "service.name": "porchlight",
      "service.instance.id": `${hostname()}:${process.pid}`,
      "porchlight.roles": [...roles],
    }).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [withoutSentences, new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  // No propagator: a caller that continued a trace could decide what is recorded, and proxies pass on what callers send.
  provider.register({ propagator: null });
  const tracer = provider.getTracer("porchlight");
  const requests = traceRequests(provider);
  useTracing({
    span: (name, { parent, links = [], attributes, startedAt }: SpanOptions, work) => {
      const options = { startTime: startedAt, attributes, links: links.flatMap(toLink) };
      return tracer.startActiveSpan(name, options, contextOf(parent), (span) => ending(span, work));
    },
    current: () => toTraceparent(trace.getActiveSpan()),
  });
  return {
    async stop() {
      useTracing(undefined);
      requests.disable();
      await provider.shutdown().catch((error: unknown) => report(String(error)));
      for (const api of [trace, context, diag]) api.disable();
    },
  };
}

async function ending<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    span.setAttribute("error.type", code ?? name);
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** An error's message may name a person. The log has it, under the request's id. */
const withoutSentences: SpanProcessor = {
  onStart: () => undefined,
  onEnd: ({ status }) => void delete status.message,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};

/** One span per request, named by its route. A path may contain a link's secret token, so it isn't recorded. */
function traceRequests(provider: NodeTracerProvider): FastifyOtelInstrumentation {
  const requests = new FastifyOtelInstrumentation({
    registerOnInitialization: true,
    instrumentHooks: false,
    recordExceptions: false,
    ignorePaths: ({ url }) => /^\/(healthz|readyz|metrics|assets\/)/.test(url),
    lifecycleHook: (span: Span, { hookName }) => span.updateName(hookName),
    requestHook: (span: Span, request: FastifyRequest) => {
      span.updateName(`${request.method} ${request.routeOptions.url ?? "none"}`);
      span.setAttributes({
        "url.path": request.routeOptions.url ?? "none",
        "porchlight.request_id": request.id,
      });
    },
  });
  requests.setTracerProvider(provider);
  return requests;
}

function toTraceparent(span: Span | undefined): string | undefined {
  const { traceId, spanId, traceFlags = 0 } = span?.spanContext() ?? {};
  return traceFlags & 1 ? `00-${traceId}-${spanId}-01` : undefined;
}

function toLink(traceparent: string) {
  const [, traceId, spanId] = traceparent.split("-");
  return traceId && spanId ? [{ context: { traceId, spanId, traceFlags: 1, isRemote: true } }] : [];
}

function contextOf(parent: string | null | undefined): Context {
  const [link] = toLink(parent ?? "");
  return link ? trace.setSpanContext(ROOT_CONTEXT, link.context) : context.active();
}
