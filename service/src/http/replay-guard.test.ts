import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { run } from "../../test/database.ts";
import { pathOf } from "../../test/every-route.ts";
import { PREFIX, useHarness } from "../../test/harness.ts";
import { requestSignature, sha256Hex } from "../crypto/signing.ts";
import type { Server } from "./route.ts";
import { allRoutes } from "./routes/manifest.ts";
import { buildServer } from "./server.ts";

/** The response to a signature that was used before. */
const REPLAYED = {
  status: 409,
  body: { code: "signature_replayed", retryable: true },
  headers: { "retry-after": "1" },
};

/** Signs a request and returns what an attacker could capture: its timestamp, body and signature. */
function capture(harness: ReturnType<typeof useHarness>, tenant: { apiSecret: string }) {
  const timestamp = String(Math.floor(harness.clock.now().getTime() / 1000));
  const body = JSON.stringify({ name: `Project ${randomUUID()}` });
  const parts = {
    timestamp,
    method: "POST",
    path: `${PREFIX}/projects`,
    bodyHash: sha256Hex(body),
  };
  const signature = requestSignature(sha256Hex(tenant.apiSecret), parts).toString("hex");
  return { timestamp, body, signature };
}

describe("a captured request under REPLAY_GUARD=strict", () => {
  const harness = useHarness({ settings: { replayGuard: "strict" } });

  async function arrange() {
    const tenant = await harness.seedTenant();
    const { timestamp, body, signature } = capture(harness, tenant);
    const send = (headers: Record<string, string> = {}, path = "/projects", nonce = randomUUID()) =>
      tenant.sendRaw("POST", path, body, { timestamp, signature, nonce, headers });
    const countProjects = async () => (await tenant.get("/projects")).body.data.length;
    return { tenant, send, countProjects };
  }

  const key = "0b1f6a3e-6f0e-4a53-9d5b-0a6f1f6f2a11";
  const otherKey = "9c5b94b1-35ad-49bb-b118-8e8fc24abf80";
  const agent = "3b241101-e2bb-4255-8caf-4136c566a962";

  it.each([
    ["a new nonce", {}, "/projects"],
    ["an added Idempotency-Key", { "idempotency-key": otherKey }, "/projects"],
    ["another agent", { "x-agent-id": agent }, "/projects"],
    ["a header name in capitals", { "X-AGENT-ID": agent }, "/projects"],
  ])("409 signature_replayed, nothing changed: sent again with %s", async (_case, headers, path) => {
    const { send, countProjects } = await arrange();
    expect((await send()).status).toBe(201);

    expect(await send(headers, path)).toMatchObject(REPLAYED);
    expect(await countProjects()).toBe(1);
  });

  it("401, nothing changed: sent again unchanged, with its nonce", async () => {
    const { send, countProjects } = await arrange();
    const nonce = randomUUID();
    expect((await send({}, "/projects", nonce)).status).toBe(201);

    expect((await send({}, "/projects", nonce)).status).toBe(401);
    expect(await countProjects()).toBe(1);
  });

  it("409 signature_replayed: a timestamp ahead of the clock, sent again while it is valid", async () => {
    const tenant = await harness.seedTenant();
    harness.clock.advanceSeconds(30);
    const ahead = capture(harness, tenant);
    harness.clock.advanceSeconds(-30);
    const { timestamp, signature } = ahead;
    const send = () => tenant.sendRaw("POST", "/projects", ahead.body, { timestamp, signature });
    expect((await send()).status).toBe(201);

    for (const seconds of [29, 2, 28, 1]) {
      harness.clock.advanceSeconds(seconds);
      expect(await send()).toMatchObject(REPLAYED);
    }
    harness.clock.advanceSeconds(2);
    expect((await send()).status).toBe(401);
  });

  it("201 with the stored response: a retry with the same Idempotency-Key", async () => {
    const { send, countProjects } = await arrange();
    const first = await send({ "idempotency-key": key });

    const again = await send({ "idempotency-key": key });

    expect(again).toMatchObject({ status: 201, text: first.text });
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(await countProjects()).toBe(1);
  });

  it("409 signature_replayed: sent again with another Idempotency-Key or without it", async () => {
    const { send, countProjects } = await arrange();
    expect((await send({ "idempotency-key": key })).status).toBe(201);

    expect(await send({ "idempotency-key": otherKey })).toMatchObject(REPLAYED);
    expect(await send()).toMatchObject(REPLAYED);
    expect(await countProjects()).toBe(1);
  });

  it("409 signature_replayed: a retry after a 500, which has no stored response", async () => {
    const { send, countProjects } = await arrange();
    const asSuperuser = (statement: string) => run(harness.database.superuserUrl, statement);
    await asSuperuser("alter table projects add constraint no_inserts check (name = '') not valid");
    expect((await send({ "idempotency-key": key })).status).toBe(500);
    await asSuperuser("alter table projects drop constraint no_inserts");

    expect(await send({ "idempotency-key": key })).toMatchObject(REPLAYED);
    expect(await countProjects()).toBe(0);
  });

  it("422 both times: an invalid request is sent again", async () => {
    const tenant = await harness.seedTenant();

    expect((await tenant.post("/projects", {})).status).toBe(422);
    expect((await tenant.post("/projects", {})).status).toBe(422);
  });

  it("200 both times: two equal GET requests in one second", async () => {
    const tenant = await harness.seedTenant();

    expect((await tenant.get("/projects")).status).toBe(200);
    expect((await tenant.get("/projects")).status).toBe(200);
  });

  it("409 signature_replayed: an environment pull is sent again", async () => {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "Guarded" });
    const path = `/projects/${body.project_id}/env`;

    expect((await tenant.get(path)).status).toBe(200);
    expect(await tenant.get(path)).toMatchObject(REPLAYED);
    harness.clock.advanceSeconds(1);
    expect((await tenant.get(path)).status).toBe(200);
  });

  it("any sequence of retries and replays: 201 for retries, 409 for replays, 401 for a repeated nonce", async () => {
    const tenant = await harness.seedTenant();
    const step = fc.constantFrom("retry", "replay", "new nonce", "new key", "no key");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const { timestamp, body, signature } = capture(harness, tenant);
        const ownKey = randomUUID();
        const nonce = randomUUID();
        const send = (headers: Record<string, string>, withNonce = randomUUID()) =>
          tenant.sendRaw("POST", "/projects", body, {
            timestamp,
            signature,
            nonce: withNonce,
            headers,
          });
        expect((await send({ "idempotency-key": ownKey }, nonce)).status).toBe(201);
        for (const action of steps) {
          const actions = {
            retry: () => send({ "idempotency-key": ownKey }),
            replay: () => send({ "idempotency-key": ownKey }, nonce),
            "new nonce": () => send({}),
            "new key": () => send({ "idempotency-key": randomUUID() }),
            "no key": () => send({}),
          };
          const statuses = {
            retry: 201,
            replay: 401,
            "new nonce": 409,
            "new key": 409,
            "no key": 409,
          };
          expect((await actions[action]()).status).toBe(statuses[action]);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("a captured request under REPLAY_GUARD=money", () => {
  const harness = useHarness();

  const now = () => String(Math.floor(harness.clock.now().getTime() / 1000));

  /** Each route that could let money or access flow again, or that responds with a secret. */
  const GUARDED: [string, object][] = [
    ["PATCH /agents/{agent_id}", { name: "Buyer" }],
    ["PATCH /policies/{policy_id}", { name: "Buyer" }],
    ["PATCH /projects/{project_id}", { monthly_cap: "250.00" }],
    ["POST /agents/{agent_id}/keys", { name: "Buyer" }],
    ["POST /agents/{agent_id}/resume", {}],
    ["POST /developers/me/keys", { name: "CI" }],
    ["POST /developers/me/keys/{key_id}/rotate", {}],
    ["POST /policies", { name: "Buyer", rules: [] }],
    ["POST /policies/{policy_id}/rollback", { version: 1 }],
    ["POST /projects/{project_id}/billing/payment-methods", { payment_method_id: "pm_card_visa" }],
    ["POST /projects/{project_id}/link", { provider: "neon" }],
    ["POST /projects/{project_id}/services", { service: "neon/postgres" }],
    ["POST /projects/{project_id}/services/{service_id}/deep-link", {}],
    ["POST /projects/{project_id}/services/{service_id}/rotate", {}],
    ["POST /projects/{project_id}/services/{service_id}/upgrade", { plan: "scale" }],
    ["POST /webhooks", { url: "https://93.184.216.34/", event_types: ["*"] }],
    ["POST /webhooks/{webhook_id}/rotate-secret", {}],
    ["PUT /developers/provider-keys/{provider}", { credentials: { api_key: "synthetic" } }],
    ["PUT /projects/{project_id}/variables/{name}", { value: "a" }],
  ];

  it.each(GUARDED)("409 signature_replayed: %s is sent again", async (route, body) => {
    const tenant = await harness.seedTenant();
    const [method = "", template = ""] = route.split(" ");
    const path = pathOf({ path: template });
    const timestamp = now();
    const send = () => tenant.sendRaw(method, path, JSON.stringify(body), { timestamp });
    expect([200, 201, 404]).toContain((await send()).status);

    expect(await send()).toMatchObject(REPLAYED);
  });

  it("no other route declares that it always accepts a signature only once", async () => {
    const declared: string[] = [];
    const collect = (server: Server) =>
      server.addHook("onRoute", ({ config, method, url }) => {
        if (config?.replayGuard !== "always") return;
        declared.push(`${method} ${url.replace(PREFIX, "").replaceAll(/:(\w+)/g, "{$1}")}`);
      });
    const server = await buildServer(harness.app, { routes: [collect, ...allRoutes] });
    await server.close();

    expect(declared.sort()).toEqual(GUARDED.map(([route]) => route));
  });

  it("active, not resumed: a captured resume is sent again after a later suspension", async () => {
    const tenant = await harness.seedTenant();
    const { body: agent } = await tenant.post("/agents", { name: "Buyer" });
    const path = `/agents/${agent.agent_id}`;
    await tenant.post(`${path}/suspend`);
    const timestamp = now();
    const resume = () => tenant.post(`${path}/resume`, undefined, { timestamp });
    expect((await resume()).status).toBe(200);
    harness.clock.advanceSeconds(1);
    await tenant.post(`${path}/suspend`);

    expect(await resume()).toMatchObject(REPLAYED);
    expect((await tenant.get(path)).body.status).toBe("suspended");
  });

  it("no other key pair: a captured request for one is sent again; 409 secret_already_issued: with its key", async () => {
    const tenant = await harness.seedTenant();
    const key = randomUUID();
    const send = (idempotencyKey: string) =>
      tenant.post(
        "/developers/me/keys",
        { name: "CI" },
        { headers: { "idempotency-key": idempotencyKey }, timestamp: now() },
      );
    expect((await send(key)).body).toHaveProperty("api_secret");

    expect(await send(randomUUID())).toMatchObject(REPLAYED);
    expect((await send(key)).body.code).toBe("secret_already_issued");
  });

  it("the key is not claimed: it works with a new signature after 409 signature_replayed", async () => {
    const tenant = await harness.seedTenant();
    const send = (headers = {}) =>
      tenant.post("/policies", { name: "Buyer", rules: [] }, { headers, timestamp: now() });
    const headers = { "idempotency-key": randomUUID() };
    expect((await send()).status).toBe(201);

    expect(await send(headers)).toMatchObject(REPLAYED);
    harness.clock.advanceSeconds(1);
    expect((await send(headers)).status).toBe(201);
  });

  it("409 already_exists, not signature_replayed: the request creates a project", async () => {
    const tenant = await harness.seedTenant();
    const send = () => tenant.post("/projects", { name: "Once" });

    expect((await send()).status).toBe(201);
    expect((await send()).body.code).toBe("already_exists");
  });
});
