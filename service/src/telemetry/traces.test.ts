import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiResponse, useHarness } from "../../test/harness.ts";
import { type Payer, seedPayer } from "../../test/payments/pay.ts";
import { servicesOf } from "../../test/services.ts";
import { type ReceivedSpan, startOtlpReceiver } from "../../test/telemetry/otlp-receiver.ts";
import { startTraces } from "./start-traces.ts";

const CALLER = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };

describe("traces", () => {
  let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
  let traces: ReturnType<typeof startTraces>;
  // Before the harness builds the server, which adds its hooks only if something is traced.
  beforeAll(async () => {
    receiver = await startOtlpReceiver();
    traces = startTraces({ endpoint: receiver.url, ratio: 1, instanceId: "test" });
  });
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);
  let payer: Payer;
  let answers: { readonly paid: ApiResponse; readonly added: ApiResponse; readonly missing: ApiResponse };
  let linkToken: string;
  let variables: Readonly<Record<string, string>>;
  let spans: readonly ReceivedSpan[];

  beforeAll(async () => {
    payer = await seedPayer(harness);
    const { tenant } = payer;
    const projectId = await services.newProject(tenant);
    ({ token: linkToken } = await services.linkNeon(tenant, projectId));
    const traceparent = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
    answers = {
      paid: await payer.pay({}, { headers: { traceparent } }),
      added: await services.add(tenant, projectId),
      missing: await tenant.get(`/agents/${randomUUID()}`, { headers: { traceparent: "00-secret-1-01" } }),
    };
    await services.allEnded(projectId);
    variables = (await tenant.get(`/projects/${projectId}/env`)).body.env;
    await traces.close();
    spans = receiver.spans();
  });
  afterAll(() => receiver.close());

  const requestOf = ({ headers }: ApiResponse): ReceivedSpan => {
    const found = spans.find(({ attributes }) => attributes["purser.request_id"] === headers["x-request-id"]);
    if (found === undefined) throw new Error("the request has no span");
    return found;
  };
  const parentOf = ({ parentSpanId }: ReceivedSpan) => spans.find(({ spanId }) => spanId === parentSpanId);
  const inTraceOf = ({ traceId }: ReceivedSpan) => spans.filter((span) => span.traceId === traceId);

  it("a payment: the request with its route, and its transaction below it", () => {
    const request = requestOf(answers.paid);

    expect(answers.paid.status).toBe(200);
    expect(request).toMatchObject({
      name: "POST /api/v1/svc/payments/send",
      parentSpanId: "",
      attributes: { "http.route": "/api/v1/svc/payments/send", "http.response.status_code": "200" },
    });
    const transaction = inTraceOf(request).find(({ name }) => name === "transaction");
    expect(transaction).toMatchObject({ parentSpanId: request.spanId });
    expect(transaction?.attributes["db.query.summary"]).toContain("purser_spend");
  });

  it("an added service: the request, the steps of the saga below it, and the vendor's calls below the steps", () => {
    const request = requestOf(answers.added);
    const created = inTraceOf(request).find(({ name }) => name === "createProject");

    expect(answers.added).toMatchObject({ status: 202, body: { service: { status: "active" } } });
    expect(created?.attributes).toMatchObject({ "purser.vendor": "neon" });
    const step = created && parentOf(created);
    expect(step?.name).toMatch(/^service\.add /);
    expect(step && parentOf(step)).toBe(request);
    // Each span but the first has a parent in the same trace.
    const others = inTraceOf(request).filter((span) => span !== request);
    expect(others.filter((span) => parentOf(span)?.traceId !== request.traceId)).toEqual([]);
  });

  it("an error: its code, and no message", () => {
    expect(requestOf(answers.missing).attributes).toMatchObject({ "purser.error_code": "agent_not_found" });
  });

  it("a caller's traceparent is a link, and one that is malformed is ignored", () => {
    const paid = requestOf(answers.paid);

    expect(paid.links).toEqual([CALLER.traceId]);
    expect(paid.traceId).not.toBe(CALLER.traceId);
    expect(requestOf(answers.missing).links).toEqual([]);
  });

  it("nothing that was sent contains a secret, a body or a tenant", () => {
    const sent = receiver.bytes();

    const { apiKey, apiSecret, tenantId } = payer.tenant;
    const { DATABASE_URL = "", PGPASSWORD = "" } = variables;
    expect(DATABASE_URL).toContain(PGPASSWORD);
    for (const secret of [
      apiKey,
      apiSecret,
      tenantId,
      linkToken,
      payer.address,
      "00-secret",
      DATABASE_URL,
      PGPASSWORD,
    ]) {
      expect(sent.includes(secret)).toBe(false);
    }
    expect(sent.includes(answers.paid.body.to.address)).toBe(false);
  });

  it("what a job reads outside of any work makes no trace", () => {
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === "");

    expect(roots.filter(({ name }) => name === "query" || name === "transaction")).toEqual([]);
  });
});

describe("a share of traces", () => {
  let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
  let traces: ReturnType<typeof startTraces>;
  beforeAll(async () => {
    receiver = await startOtlpReceiver();
    traces = startTraces({ endpoint: receiver.url, ratio: 0, instanceId: "test" });
  });
  const harness = useHarness();
  afterAll(() => receiver.close());

  it("a request that is not chosen makes no span, and neither does what it does", async () => {
    const payer = await seedPayer(harness);
    const { status } = await payer.pay();
    await traces.close();

    expect(status).toBe(200);
    expect(receiver.spans()).toEqual([]);
  });
});
