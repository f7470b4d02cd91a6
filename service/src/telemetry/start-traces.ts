import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, type Link, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { AppError } from "../foundation/errors.ts";
import { type Activity, type Span as ActivitySpan, observers } from "../foundation/telemetry/activities.ts";
import { VendorError } from "../ports/vendor-error.ts";

export interface TraceOptions {
  /** The base URL of an OTLP receiver. Spans are sent to `/v1/traces` below it, as protobuf. */
  readonly endpoint: string;
  /** The share of requests and of other work that is traced, from 0 to 1. */
  readonly ratio: number;
  readonly instanceId: string;
}

const KINDS: Readonly<Partial<Record<Activity["kind"], SpanKind>>> = {
  request: SpanKind.SERVER,
  "vendor call": SpanKind.CLIENT,
  statements: SpanKind.CLIENT,
  "saga step": SpanKind.INTERNAL,
};

/** Sends spans of what this process does to an OTLP receiver. Must be called before the server is built. */
export function startTraces({ endpoint, ratio, instanceId }: TraceOptions): { close(): Promise<void> } {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces` });
  const resource = resourceOf({ "service.name": "purser", "service.instance.id": instanceId });
  // Not registered globally: libraries that know OpenTelemetry then make no spans of their own.
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  const tracer = provider.getTracer("purser");
  /** The context of the current span. Null in what is not traced. */
  const contexts = new AsyncLocalStorage<Context | null>();

  const untraced: ActivitySpan = { run: (work) => contexts.run(null, work), end: () => {} };

  observers.startSpan = (activity) => {
    const kind = KINDS[activity.kind];
    const parent = contexts.getStore();
    if (kind === undefined || parent === null) return undefined;
    // Jobs look for work several times a second. Their statements are only traced in what they then do.
    if (parent === undefined && activity.kind === "statements") return undefined;
    if (parent === undefined && Math.random() >= ratio) return untraced;
    const above = parent ?? ROOT_CONTEXT;
    const span = tracer.startSpan(nameOf(activity), { kind, links: linksOf(activity) }, above);
    const context = trace.setSpan(above, span);
    return { run: (work) => contexts.run(context, work), end: (error) => end(span, activity, error) };
  };
  return {
    close: async () => {
      observers.startSpan = undefined;
      await provider.shutdown().catch(() => {});
    },
  };
}

function nameOf({ kind, name, facts }: Activity): string {
  return kind === "request" ? `${facts["http.request.method"]} ${name}` : name;
}

/**
 * The caller's span is a link, not the parent: a caller can then neither choose which requests are traced, nor put spans
 * into a trace of someone else.
 */
function linksOf({ traceparent = "" }: Activity): Link[] {
  const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return [];
  return [{ context: { traceId, spanId, traceFlags: 0, isRemote: true } }];
}

function end(span: Span, activity: Activity, error?: unknown): void {
  const { kind, name, facts } = activity;
  if (kind === "request") span.setAttribute("http.route", name);
  if (kind === "vendor call") span.setAttribute("purser.operation", name);
  span.updateName(nameOf(activity)).setAttributes(facts);
  if (error !== undefined) span.setAttribute("error.type", errorTypeOf(error));
  if (error !== undefined || Number(facts["http.response.status_code"] ?? 0) >= 500) {
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/** Never the message, which can contain what others wrote. */
function errorTypeOf(error: unknown): string {
  if (error instanceof VendorError) return error.failure;
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? error.name : "unknown";
}

type Resource = NonNullable<NonNullable<ConstructorParameters<typeof NodeTracerProvider>[0]>["resource"]>;

function resourceOf(attributes: Readonly<Record<string, string>>): Resource {
  const resource: Resource = {
    attributes,
    merge: () => resource,
    getRawAttributes: () => Object.entries(attributes),
  };
  return resource;
}
