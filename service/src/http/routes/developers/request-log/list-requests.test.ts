import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { postAgent } from "../../../../../test/agents/seed-agents.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { seedSession } from "../../../../../test/seeds.ts";
import { RequestLog } from "../../../../call-limits/request-log.ts";
import { type ApiKeyId, newId } from "../../../../foundation/ids.ts";
import { writeRequestLog } from "../../../../modules/developers/request-log/request-log.ts";

const REQUESTS = "/developers/me/requests";
const ME = "/developers/me";
const PROJECT_PATH = "/api/v1/svc/projects/{project_id}";

interface Logged {
  readonly request_id: string;
  readonly path: string;
  readonly status: number;
  readonly error_code: string | null;
}

/** Returns the listed requests, without those of the log itself. */
async function logOf(
  client: Pick<ReturnType<ReturnType<typeof useHarness>["clientOf"]>, "get">,
  search = "",
): Promise<readonly Logged[]> {
  const { status, body } = await client.get(`${REQUESTS}?limit=100${search}`);
  expect(status).toBe(200);
  return body.data.filter(({ path }: Logged) => !path.endsWith(REQUESTS));
}

describe("GET /developers/me/requests", () => {
  const harness = useHarness();

  it("200: a signed GET with its status, template, duration, agent and id, and nothing that it contained", async () => {
    const tenant = await harness.seedTenant();
    const agentId = randomUUID();
    const missing = "proj_01k3z5qexrf1xv2hj4nb9c8w7d";
    const sent = await tenant.get(`/projects/${missing}`, { headers: { "x-agent-id": agentId } });

    const { body } = await tenant.get(REQUESTS);

    expect(sent.status).toBe(404);
    expect(body).toEqual({
      object: "list",
      data: [
        {
          object: "logged_request",
          request_id: sent.headers["x-request-id"],
          key_id: tenant.keyId,
          mode: "live",
          agent_id: agentId,
          method: "GET",
          path: PROJECT_PATH,
          status: 404,
          error_code: "project_not_found",
          duration_ms: expect.any(Number),
          created_at: harness.clock.now().toISOString(),
        },
      ],
      has_more: false,
      next_cursor: null,
    });
    expect(JSON.stringify(body)).not.toContain(missing);
  });

  it("200: requests that were refused after their signature was accepted", async () => {
    const tenant = await harness.seedTenant();
    const reader = await harness.seedKey(tenant.tenantId, { scopes: ["keys:read"] });
    await tenant.post("/projects", { name: 5 });
    await tenant.get(`${ME}?secret=hunter2`);
    await tenant.get(ME, { headers: { "x-agent-id": "not-a-uuid" } });
    await reader.get("/projects");
    const limited = await harness.seedKey(tenant.tenantId, { rateLimitPerMinute: 1 });
    await limited.get(ME);
    await limited.get(ME);

    const log = await logOf(tenant);

    expect(log.map(({ path, status, error_code }) => [path, status, error_code])).toEqual([
      ["/api/v1/svc/developers/me", 429, "rate_limited"],
      ["/api/v1/svc/developers/me", 200, null],
      ["/api/v1/svc/projects", 403, "insufficient_scope"],
      ["/api/v1/svc/developers/me", 422, "validation_error"],
      ["/api/v1/svc/developers/me", 422, "validation_error"],
      ["/api/v1/svc/projects", 422, "validation_error"],
    ]);
    expect(log[3]).toMatchObject({ agent_id: null });
    expect(JSON.stringify(log)).not.toContain("hunter2");
  });

  it("200: a repeated call has the error of the first one", async () => {
    const tenant = await harness.seedTenant();
    const key = randomUUID();
    const wallet = { agent_id: randomUUID(), network: "base" };
    expect((await tenant.post("/wallets/create", wallet)).status).toBe(201);
    const send = () => tenant.post("/wallets/create", wallet, { headers: { "idempotency-key": key } });

    expect([await send(), await send()].map(({ headers }) => headers["idempotent-replayed"])).toEqual([
      undefined,
      "true",
    ]);
    const codes = (await logOf(tenant)).map(({ error_code }) => error_code);
    expect(codes).toEqual(["wallet_already_exists", "wallet_already_exists", null]);
  });

  it("200: no request with a wrong signature, without a key, of a session or of another tenant", async () => {
    const tenant = await harness.seedTenant();
    const stranger = await harness.seedTenant();
    const { accessToken } = await seedSession(harness.app, tenant.tenantId);
    await stranger.get(ME);
    await tenant.get(ME, { signature: "0".repeat(64) });
    await harness.send({ method: "GET", url: `/api/v1/svc${ME}` });
    const headers = { authorization: `Bearer ${accessToken}`, "x-svc-mode": "live" };
    await harness.send({ method: "GET", url: `/api/v1/svc${ME}`, headers });

    expect(await logOf(tenant)).toEqual([]);
    expect(await logOf(stranger)).toHaveLength(1);
    expect(await logOf(tenant, `&key_id=${stranger.keyId}`)).toEqual([]);
  });

  it("200: test keys see requests of test keys, live keys and sessions those of both modes", async () => {
    const tenant = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    await tenant.get(ME);
    await test.get(ME);

    expect(await logOf(test)).toMatchObject([{ key_id: test.keyId, mode: "test" }]);
    expect(await logOf(tenant)).toMatchObject([{ key_id: test.keyId }, { key_id: tenant.keyId }]);
  });

  it("200: filters by key, method, status, class of statuses and path", async () => {
    const tenant = await harness.seedTenant();
    const other = await harness.seedKey(tenant.tenantId);
    const { body: project } = await tenant.post("/projects", { name: "one" });
    await tenant.post("/projects", {});
    await other.get(`/projects/${project.project_id}`);
    await other.get("/projects/proj_none");
    const found = async (search: string) =>
      (await logOf(tenant, search)).map(({ path, status }) => [path.split("/").at(-1), status]);

    expect(await found("")).toHaveLength(4);
    expect(await found(`&key_id=${other.keyId}`)).toEqual([
      ["{project_id}", 404],
      ["{project_id}", 200],
    ]);
    expect(await found("&method=POST")).toEqual([
      ["projects", 422],
      ["projects", 201],
    ]);
    expect(await found("&status=4xx")).toEqual([
      ["{project_id}", 404],
      ["projects", 422],
    ]);
    expect(await found("&status=201")).toEqual([["projects", 201]]);
    expect(await found(`&path=${encodeURIComponent(PROJECT_PATH)}&status=2xx`)).toEqual([["{project_id}", 200]]);
  });

  it("200: pages, newest first", async () => {
    const tenant = await harness.seedTenant();
    const sent: unknown[] = [];
    for (let made = 0; made < 5; made += 1) sent.unshift((await tenant.get(ME)).headers["x-request-id"]);
    const listed: unknown[] = [];
    let cursor = "";
    do {
      const { body } = await tenant.get(`${REQUESTS}?limit=2&path=/api/v1/svc/developers/me${cursor}`);
      listed.push(...body.data.map(({ request_id }: Logged) => request_id));
      cursor = body.has_more ? `&cursor=${body.next_cursor}` : "";
    } while (cursor !== "");

    expect(listed).toEqual(sent);
  });

  it("200: without key_id, a filter searches the newest 100,000 requests only", async () => {
    const tenant = await harness.seedTenant();
    const other = await harness.seedKey(tenant.tenantId);
    await accountsOf(harness).query(
      `insert into logged_requests (tenant_id, request_id, key_id, mode, method, path, status, duration_ms, created_at)
       select $1, 'req_' || lpad(number::text, 26, '0'), case when number < 2 then $3 else $2 end, 'live',
         case when number < 2 then 'DELETE' else 'GET' end, '/', 200, 1, $4 from generate_series(0, 100000) as number`,
      [tenant.tenantId, tenant.keyId, other.keyId, harness.clock.now()],
    );
    const found = async (search: string) => (await logOf(tenant, `&method=DELETE${search}`)).length;

    expect([await found(""), await found(`&key_id=${other.keyId}`)]).toEqual([1, 2]);
  });

  it("429: more than 120 calls within a minute of the log, of agents' budgets and of the overview", async () => {
    const tenant = await harness.seedTenant();
    const other = await harness.seedKey(tenant.tenantId);
    const { accessToken } = await seedSession(harness.app, tenant.tenantId);
    const headers = { authorization: `Bearer ${accessToken}`, "x-svc-mode": "live" };
    const calls = [
      (client: typeof other) => client.get(REQUESTS),
      (client: typeof other) => client.get(`/agents/${randomUUID()}/budgets`),
      () => harness.send({ method: "GET", url: "/api/v1/svc/developers/dashboard/overview", headers }),
    ];
    for (const call of calls) {
      for (let made = 0; made < 120; made += 1) expect((await call(tenant)).status).not.toBe(429);
      const refused = await call(other);
      expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
      expect(refused.headers["retry-after"]).toBeDefined();
    }
    // Agents that read their budgets do not use up the reads of people, nor the other way round.
    const { agent_id } = await postAgent(tenant);
    const bound = await harness.seedKey(tenant.tenantId, { agentIds: [agent_id] });
    expect((await bound.get(`/agents/${agent_id}/budgets`)).status).toBe(200);
    harness.clock.advanceSeconds(61);
    expect((await tenant.get(REQUESTS)).status).toBe(200);
  });

  it("keeps 10,000 requests of a key, which are written and trimmed at once", async () => {
    const { tenantId, keyId } = await harness.seedTenant();
    for (let written = 0; written < 2; written += 1) {
      for (let noted = 0; noted < 10_001; noted += 1) {
        harness.app.requestLog.note({
          ...{ tenantId, keyId: keyId as ApiKeyId, requestId: newId("req"), mode: "live", method: "GET", path: "/" },
          ...{ status: 200, durationMs: 1, errorCode: null, agentId: null, createdAtMs: harness.clock.now().getTime() },
        });
      }
      await writeRequestLog(harness.app);
    }

    const [{ count }] = await accountsOf(harness).query(
      "select count(*)::integer from logged_requests where key_id = $1",
      [keyId],
    );
    expect(count).toBe(10_000);
  });

  it.each(["cursor=abc", "limit=101", "key_id=key_1", "method=HEAD", "status=600", "status=4x", "path=%00", "agent=1"])(
    "422: %s",
    async (search) => {
      const tenant = await harness.seedTenant();

      expect((await tenant.get(`${REQUESTS}?${search}`)).status).toBe(422);
    },
  );
});

describe("the request log", () => {
  const harness = useHarness({
    replace: () => ({ requestLog: new RequestLog({ keptPerKey: 10, bufferedMax: 5 }) }),
  });
  const { query } = accountsOf(harness);
  const write = () => writeRequestLog(harness.app);
  const warnings = () => harness.logLines.filter((line) => line.includes("missing in the request log"));

  it("keeps the newest requests of each key", async () => {
    const tenant = await harness.seedTenant();
    const other = await harness.seedKey(tenant.tenantId);
    const stored = async (keyId: string) =>
      (await query("select request_id from logged_requests where key_id = $1 order by request_id desc", [keyId])).map(
        ({ request_id }) => request_id,
      );
    const sent: unknown[] = [];
    await other.get(ME);
    for (let made = 0; made < 25; made += 1) {
      sent.unshift((await tenant.get(ME)).headers["x-request-id"]);
      await write();
    }

    expect(await stored(tenant.keyId)).toEqual(sent.slice(0, 10));
    expect(await stored(other.keyId)).toHaveLength(1);
  });

  it("drops requests when its buffer is full, and says how many", async () => {
    const tenant = await harness.seedTenant();
    for (let made = 0; made < 8; made += 1) await tenant.get(ME);

    await write();

    expect(await query("select from logged_requests where tenant_id = $1", [tenant.tenantId])).toHaveLength(5);
    expect(JSON.parse(warnings().at(-1) ?? "{}")).toMatchObject({ count: 3, reason: "the buffer is full" });
  });

  it("drops requests that the database does not take, and fails none", async () => {
    const tenant = await harness.seedTenant();
    await query("alter table logged_requests rename to logged_requests_away");
    const { status } = await tenant.get(ME);
    await write();
    await query("alter table logged_requests_away rename to logged_requests");
    await tenant.get(ME);
    await write();

    expect(status).toBe(200);
    expect(await query("select from logged_requests where tenant_id = $1", [tenant.tenantId])).toHaveLength(1);
    expect(JSON.parse(warnings().at(-1) ?? "{}")).toMatchObject({ count: 1 });
  });

  it("answers while the database does not take the log, and buffers no more than it may", async () => {
    const tenant = await harness.seedTenant();
    const locker = new Client({ connectionString: harness.database.superuserUrl });
    await locker.connect();
    await locker.query("begin");
    await locker.query("lock table logged_requests in access exclusive mode");
    await tenant.get(ME);
    const writing = write();
    for (let made = 0; made < 8; made += 1) expect((await tenant.get(ME)).status).toBe(200);
    await locker.end();
    await writing;
    await write();

    expect(await query("select from logged_requests where tenant_id = $1", [tenant.tenantId])).toHaveLength(6);
  });

  it("writes the requests of several tenants in one statement", async () => {
    const tenants = [await harness.seedTenant(), await harness.seedTenant()];
    for (const tenant of tenants) await tenant.get(ME);
    await write();

    for (const { tenantId } of tenants) {
      expect(await query("select tenant_id from logged_requests where tenant_id = $1", [tenantId])).toHaveLength(1);
    }
  });
});
