import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { run } from "../../test/database.ts";
import { PREFIX, useHarness } from "../../test/harness.ts";
import { requestSignature, sha256Hex } from "../crypto/signing.ts";

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
  ])("401, nothing changed: sent again with %s", async (_case, headers, path) => {
    const { send, countProjects } = await arrange();
    expect((await send()).status).toBe(201);

    expect((await send(headers, path)).status).toBe(401);
    expect(await countProjects()).toBe(1);
  });

  it("401, nothing changed: sent again unchanged", async () => {
    const { send, countProjects } = await arrange();
    const nonce = randomUUID();
    expect((await send({}, "/projects", nonce)).status).toBe(201);

    expect((await send({}, "/projects", nonce)).status).toBe(401);
    expect(await countProjects()).toBe(1);
  });

  it("401: the headers equal those of a wrong signature", async () => {
    const { tenant, send } = await arrange();
    expect((await send()).status).toBe(201);

    const replayed = await send();
    const forged = await tenant.get("/projects", { signature: "0".repeat(64) });

    expect([replayed.status, forged.status]).toEqual([401, 401]);
    expect(Object.keys(replayed.headers)).toEqual(Object.keys(forged.headers));
  });

  it("401: a timestamp ahead of the clock, sent again while it is valid", async () => {
    const tenant = await harness.seedTenant();
    harness.clock.advanceSeconds(30);
    const ahead = capture(harness, tenant);
    harness.clock.advanceSeconds(-30);
    const { timestamp, signature } = ahead;
    const send = () => tenant.sendRaw("POST", "/projects", ahead.body, { timestamp, signature });
    expect((await send()).status).toBe(201);

    for (const seconds of [29, 2, 28, 1, 2]) {
      harness.clock.advanceSeconds(seconds);
      expect((await send()).status).toBe(401);
    }
  });

  it("201 with the stored response: a retry with the same Idempotency-Key", async () => {
    const { send, countProjects } = await arrange();
    const first = await send({ "idempotency-key": key });

    const again = await send({ "idempotency-key": key });

    expect(again).toMatchObject({ status: 201, text: first.text });
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(await countProjects()).toBe(1);
  });

  it("401: sent again with another Idempotency-Key or without it", async () => {
    const { send, countProjects } = await arrange();
    expect((await send({ "idempotency-key": key })).status).toBe(201);

    expect((await send({ "idempotency-key": otherKey })).status).toBe(401);
    expect((await send()).status).toBe(401);
    expect(await countProjects()).toBe(1);
  });

  it("401: a retry after a 500, which has no stored response", async () => {
    const { send, countProjects } = await arrange();
    const asSuperuser = (statement: string) => run(harness.database.superuserUrl, statement);
    await asSuperuser("alter table projects add constraint no_inserts check (name = '') not valid");
    expect((await send({ "idempotency-key": key })).status).toBe(500);
    await asSuperuser("alter table projects drop constraint no_inserts");

    expect((await send({ "idempotency-key": key })).status).toBe(401);
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

  it("401: an environment pull is sent again", async () => {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "Guarded" });
    const path = `/projects/${body.project_id}/env`;

    expect((await tenant.get(path)).status).toBe(200);
    expect((await tenant.get(path)).status).toBe(401);
    harness.clock.advanceSeconds(1);
    expect((await tenant.get(path)).status).toBe(200);
  });

  it("any sequence of retries and replays: 201 for retries, 401 for replays", async () => {
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
          expect((await actions[action]()).status).toBe(action === "retry" ? 201 : 401);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("a captured request under REPLAY_GUARD=money", () => {
  const harness = useHarness();

  it("409, not 401: the request creates a project, which moves no money", async () => {
    const tenant = await harness.seedTenant();
    const { timestamp, body, signature } = capture(harness, tenant);
    const send = () => tenant.sendRaw("POST", "/projects", body, { timestamp, signature });

    expect((await send()).status).toBe(201);
    expect((await send()).status).toBe(409);
  });
});
