import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ReceivedSpan, startOtlpReceiver } from "../../service/test/telemetry/otlp-receiver.ts";
import { sumOf } from "../../service/test/telemetry/scrape.ts";
import { type KeyPair, PREFIX, signedHeaders } from "../src/signed-client.ts";
import { createClient, useDatabase, useDeployment, useRedis } from "./fixtures.ts";

/** Sends a request whose body follows after its head. Node then calls the server outside the span: Fastify returns to it. */
async function postInTwoParts(origin: string, pair: KeyPair, path: string, text: string): Promise<void> {
  const headers = { expect: "100-continue", "content-length": Buffer.byteLength(text) };
  const sent = request(origin + PREFIX + path, {
    method: "POST",
    headers: { ...headers, ...signedHeaders(pair, { method: "POST", path, text }) },
  });
  sent.flushHeaders();
  await once(sent, "continue");
  sent.end(text);
  const [response] = await once(sent, "response");
  expect(response.statusCode).toBe(201);
  response.resume();
}

const redis = await useRedis();

describe.skipIf(redis.missing)("a process that operators watch", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({ databaseUrl: database.serviceUrl, redisUrl: redis.url }));
  let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
  beforeAll(async () => {
    receiver = await startOtlpReceiver();
  });
  afterAll(() => receiver.close());

  const metricsUrlOf = (output: string): string | null => JSON.parse(output).metricsUrl;

  it("serves metrics on a port of its own, sends spans, and stops both when it ends", async () => {
    const server = await deployment.start({
      PURSER_METRICS_PORT: "0",
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_TRACES_SAMPLER_ARG: "1",
    });
    const tenant = await deployment.seedTenant();
    const { status, headers } = await createClient(server, tenant).get("/developers/me");
    await postInTwoParts(server.url, tenant, "/projects", JSON.stringify({ name: "one" }));

    const text = await (await fetch(metricsUrlOf(server.output()) ?? "")).text();
    const ended = await server.stop();

    const route = `${PREFIX}/developers/me`;
    expect(status).toBe(200);
    expect(sumOf(text, "purser_http_request_duration_seconds_count", `route="${route}"`, 'status="200"')).toBe(1);
    expect(sumOf(text, "purser_fast_state_call_duration_seconds_count", 'store="redis"', 'outcome="ok"')).not.toBe(0);
    expect(sumOf(text, "purser_database_up")).toBe(1);
    expect(ended).toEqual({ code: 0, signal: null });
    const read = receiver.spans().find(({ name }) => name === `GET ${route}`);
    expect(read?.attributes["purser.request_id"]).toBe(headers.get("x-request-id"));
    const post = receiver.spans().find(({ name }) => name === `POST ${PREFIX}/projects`);
    const childrenOf = (span: ReceivedSpan | undefined) =>
      receiver.spans().filter(({ parentSpanId }) => parentSpanId === span?.spanId);
    expect(childrenOf(read).map(({ name }) => name)).toContain("query");
    expect(childrenOf(post).map(({ name }) => name)).toContain("transaction");
  });

  it("does neither unless it is configured", async () => {
    const before = receiver.bytes().length;
    const server = await deployment.start();
    await createClient(server, await deployment.seedTenant()).get("/developers/me");

    expect(metricsUrlOf(server.output())).toBe(null);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    await server.stop();
    expect(receiver.bytes().length).toBe(before);
  });
});
