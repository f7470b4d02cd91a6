import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failingFastState } from "../../test/fast-state/failing-fast-state.ts";
import { useHarness } from "../../test/harness.ts";
import { seedPayer } from "../../test/payments/pay.ts";
import { checkMetrics, isPromtoolMissing } from "../../test/telemetry/promtool.ts";
import { samplesOf, sumOf } from "../../test/telemetry/scrape.ts";
import { systemActor } from "../audit/actors.ts";
import { appendAuditEntry } from "../audit/append.ts";
import { openDatabase, type Tx } from "../db/database.ts";
import { tryTransaction, withTransaction } from "../db/transaction.ts";
import { scheduleWork } from "../due-work/due-work.ts";
import { newId } from "../foundation/ids.ts";
import { revokeTokens } from "../modules/links/revocations/revoke-tokens.ts";
import { type Metrics, startMetrics } from "./metrics.ts";
import { type MetricsServer, serveMetrics } from "./serve-metrics.ts";

const promtoolMissing = await isPromtoolMissing();
const REQUESTS = "purser_http_request_duration_seconds_count";
const ACTIONS = "purser_audited_actions_total";

describe("metrics", () => {
  const fastState = failingFastState();
  const harness = useHarness({ replace: fastState.replace });
  let metrics: Metrics;
  beforeAll(() => {
    metrics = startMetrics(harness.app, { stateKeptMs: 0 });
  });
  afterAll(() => metrics.close());

  /** Returns by how much the sum has grown during the work. */
  async function growthOf(work: () => Promise<unknown>, name: string, ...parts: readonly string[]): Promise<number> {
    const before = sumOf(await metrics.read(), name, ...parts);
    await work();
    return sumOf(await metrics.read(), name, ...parts) - before;
  }

  it("requests are counted by route, method and status, and paths without a route together", async () => {
    const { get } = await harness.seedTenant();
    const route = 'route="/api/v1/svc/agents/{agent_id}"';
    const missing = () => get(`/agents/${crypto.randomUUID()}`);

    expect(await growthOf(missing, REQUESTS, route, 'method="GET"', 'status="404"')).toBe(1);
    expect(await growthOf(missing, "purser_http_errors_total", 'code="agent_not_found"')).toBe(1);
    const unknown = () => Promise.all(["/a", "/b"].map((url) => harness.send({ method: "GET", url })));
    expect(await growthOf(unknown, REQUESTS, 'route="unmatched"', 'status="404"')).toBe(2);
  });

  it("the buckets of a histogram add up to its count", async () => {
    await harness.send({ method: "GET", url: "/healthz" });

    const healthz = samplesOf(await metrics.read()).filter(({ labels }) => labels.includes('route="/healthz"'));
    const buckets = healthz.filter(({ name }) => name.endsWith("_bucket")).map(({ value }) => Number(value));
    expect(buckets).toEqual(buckets.toSorted((a, b) => a - b));
    expect(buckets.at(-1)).toBe(Number(healthz.find(({ name }) => name === REQUESTS)?.value));
  });

  it("payments are counted by outcome, and those that hold an amount are shown", async () => {
    const payer = await seedPayer(harness);

    expect(await growthOf(() => payer.pay(), ACTIONS, 'action="payment.confirmed"')).toBe(1);
    const hold = () => payer.pay({ execution: "authorize_only" });
    expect(await growthOf(hold, "purser_payments_waiting", 'status="authorized"')).toBe(1);
    const refused = () => payer.pay({ amount: "100000.00" });
    expect(await growthOf(refused, ACTIONS, 'action="payment.denied"')).toBe(1);
    expect(await growthOf(refused, "purser_http_errors_total", 'code="policy_denied"')).toBe(1);
  });

  it("a change that is rolled back is not counted", async () => {
    const tenantId = await harness.seedDeveloper();
    const append = async (tx: Tx) => {
      const entry = { action: "note.written", subject: { type: "note", id: "one" }, facts: {} };
      await appendAuditEntry(tx, systemActor({ tenantId, mode: "live" }), {
        ...entry,
        occurredAt: harness.clock.now(),
      });
    };
    const written = 'action="note.written"';

    const commit = () => withTransaction(harness.app.db, tenantId, append);
    expect(await growthOf(commit, ACTIONS, written)).toBe(1);
    const rollBack = () => tryTransaction(harness.app.db, tenantId, append);
    expect(await growthOf(rollBack, ACTIONS, written)).toBe(0);
  });

  it("failed calls of the fast state are counted, and the request is answered", async () => {
    const { get } = await harness.seedTenant();
    const fail = () => fastState.while("admit", () => get("/developers/me"));

    const failures = ["purser_fast_state_call_duration_seconds_count", 'operation="admit"', 'outcome="error"'] as const;
    expect(await growthOf(fail, ...failures)).toBe(1);
    expect((await fail()).status).toBe(503);
  });

  it("due work is shown by kind with the age of the oldest, and is 0 for a kind without any", async () => {
    const tenantId = newId("dev");
    const dueAt = harness.clock.now();
    await withTransaction(harness.app.db, tenantId, (tx) =>
      scheduleWork(tx, revokeTokens, { tenantId, subject: "one", dueAt }),
    );
    harness.clock.advanceSeconds(90);

    const text = await metrics.read();

    expect(sumOf(text, "purser_due_work_items", 'kind="revoke-tokens"')).toBe(1);
    expect(sumOf(text, "purser_due_work_oldest_age_seconds", 'kind="revoke-tokens"')).toBe(90);
    expect(text).toContain('purser_due_work_items{kind="watch-network"} 0');
  });

  it("the connections in use of a pool are shown, and the callers that wait", async () => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    const tenantId = await harness.seedDeveloper();
    const connections = Array.from({ length: 14 }, () =>
      withTransaction(harness.app.db, tenantId, () => isReleased).catch(() => {}),
    );

    const text = await metrics.read();
    release();
    await Promise.all(connections);

    const pool = ['database="main"', 'pool="requests"'] as const;
    expect(sumOf(text, "purser_database_connections_in_use", ...pool)).toBe(12);
    expect(sumOf(text, "purser_database_connection_waiters", ...pool)).toBe(2);
  });

  it("without a database, the other metrics are served, and it is shown as down", async () => {
    const never = { connectTimeoutMs: 200, statementTimeoutMs: 200, readTimeoutMs: 200, onError: () => {} };
    const connectionsMax = { requests: 1, authentication: 1, jobs: 1 };
    const db = openDatabase({ url: "postgres://purser@127.0.0.1:9/none", connectionsMax, ...never });
    const down = startMetrics({ ...harness.app, db });

    const text = await down.read();

    expect(text).toContain("purser_database_up 0");
    expect(text).not.toContain("purser_due_work_items");
    expect(text).toContain("nodejs_eventloop_lag_p99_seconds");
    await db.destroy();
    metrics.close();
    metrics = startMetrics(harness.app, { stateKeptMs: 0 });
  });

  it("no label contains an id, an address or a name of a caller", async () => {
    const payer = await seedPayer(harness);
    const { body } = await payer.pay({ reference: "invoice 4711" });

    const text = await metrics.read();

    for (const secret of [payer.tenant.tenantId, payer.tenant.apiKey, payer.agentId, payer.walletId, payer.address]) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toContain(body.payment_id);
    expect(text).not.toContain("4711");
  });

  it.skipIf(promtoolMissing)("the text has Prometheus's form and names", async () => {
    const text = await metrics.read();
    const ours = text.split("\n").filter((line) => /^(# (HELP|TYPE) )?purser_/.test(line));

    expect(await checkMetrics(`${ours.join("\n")}\n`)).toBe("");
  });
});

describe("GET /metrics", () => {
  const harness = useHarness();
  let server: MetricsServer;
  beforeAll(async () => {
    server = await serveMetrics(harness.app, { host: "127.0.0.1", port: 0 });
  });
  afterAll(() => server.close());

  it("200 with the text; the database is read again after a few seconds only", async () => {
    const first = await fetch(server.url);
    const text = await first.text();
    await harness.seedTenant();
    harness.clock.advanceSeconds(60);

    const again = await (await fetch(server.url)).text();

    expect([first.status, first.headers.get("content-type")]).toEqual([200, expect.stringContaining("version=0.0.4")]);
    expect(text).toContain("purser_database_up 1");
    expect(sumOf(again, "purser_audit_pending_age_seconds")).toBe(0);
  });

  it("404 for anything else", async () => {
    const statuses = await Promise.all([
      fetch(new URL("/", server.url)),
      fetch(`${server.url}/x`),
      fetch(server.url, { method: "POST" }),
    ]);

    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
