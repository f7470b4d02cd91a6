import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { run } from "../../test/database.ts";
import { PREFIX, useHarness } from "../../test/harness.ts";
import { requestSignature, sha256Hex } from "../crypto/signing.ts";

/** A request as somebody on the way could keep it: everything but what they may change is as it was signed. */
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
    ["as it is, under a new nonce", {}, "/projects"],
    ["with a key that it did not have", { "idempotency-key": otherKey }, "/projects"],
    ["for another agent", { "x-agent-id": agent }, "/projects"],
    ["with its header names in another case", { "X-AGENT-ID": agent }, "/projects"],
  ])("401, and nothing happens twice: sent again %s", async (_case, headers, path) => {
    const { send, countProjects } = await arrange();
    expect((await send()).status).toBe(201);

    expect((await send(headers, path)).status).toBe(401);
    expect(await countProjects()).toBe(1);
  });

  it("401: the very same bytes, nonce and all", async () => {
    const { send, countProjects } = await arrange();
    const nonce = randomUUID();
    expect((await send({}, "/projects", nonce)).status).toBe(201);

    expect((await send({}, "/projects", nonce)).status).toBe(401);
    expect(await countProjects()).toBe(1);
  });

  it("401: not even the headers tell that the signature was good", async () => {
    const { tenant, send } = await arrange();
    expect((await send()).status).toBe(201);

    const replayed = await send();
    const forged = await tenant.get("/projects", { signature: "0".repeat(64) });

    expect([replayed.status, forged.status]).toEqual([401, 401]);
    expect(Object.keys(replayed.headers)).toEqual(Object.keys(forged.headers));
  });

  it("401: a stamp ahead of the clock is guarded for as long as it is good", async () => {
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

  it("201 again: an honest retry with its key gets the stored answer", async () => {
    const { send, countProjects } = await arrange();
    const first = await send({ "idempotency-key": key });

    const again = await send({ "idempotency-key": key });

    expect(again).toMatchObject({ status: 201, text: first.text });
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(await countProjects()).toBe(1);
  });

  it("401: the key changed or taken away", async () => {
    const { send, countProjects } = await arrange();
    expect((await send({ "idempotency-key": key })).status).toBe(201);

    expect((await send({ "idempotency-key": otherKey })).status).toBe(401);
    expect((await send()).status).toBe(401);
    expect(await countProjects()).toBe(1);
  });

  it("401: what broke off has no stored answer to give, and may not be done by its old signature", async () => {
    const { send, countProjects } = await arrange();
    const asOwner = (statement: string) => run(harness.database.superuserUrl, statement);
    await asOwner("alter table projects add constraint nothing_new check (name = '') not valid");
    expect((await send({ "idempotency-key": key })).status).toBe(500);
    await asOwner("alter table projects drop constraint nothing_new");

    expect((await send({ "idempotency-key": key })).status).toBe(401);
    expect(await countProjects()).toBe(0);
  });

  it("422 stays 422: a request that is not valid uses nothing up", async () => {
    const tenant = await harness.seedTenant();

    expect((await tenant.post("/projects", {})).status).toBe(422);
    expect((await tenant.post("/projects", {})).status).toBe(422);
  });

  it("200, twice in a second: a plain GET has its nonce alone", async () => {
    const tenant = await harness.seedTenant();

    expect((await tenant.get("/projects")).status).toBe(200);
    expect((await tenant.get("/projects")).status).toBe(200);
  });

  it("401: an environment pull captured is good once", async () => {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "Guarded" });
    const path = `/projects/${body.project_id}/env`;

    expect((await tenant.get(path)).status).toBe(200);
    expect((await tenant.get(path)).status).toBe(401);
    harness.clock.advanceSeconds(1);
    expect((await tenant.get(path)).status).toBe(200);
  });

  it("however sends are mixed, each thing happens at most once and honest retries are never refused", async () => {
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
        for (const what of steps) {
          const answers = {
            retry: () => send({ "idempotency-key": ownKey }),
            replay: () => send({ "idempotency-key": ownKey }, nonce),
            "new nonce": () => send({}),
            "new key": () => send({ "idempotency-key": randomUUID() }),
            "no key": () => send({}),
          };
          expect((await answers[what]()).status).toBe(what === "retry" ? 201 : 401);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("the same request twice under REPLAY_GUARD=money", () => {
  const harness = useHarness();

  it("does nothing twice where names are unique, and is no 401 where no money moves", async () => {
    const tenant = await harness.seedTenant();
    const { timestamp, body, signature } = capture(harness, tenant);
    const send = () => tenant.sendRaw("POST", "/projects", body, { timestamp, signature });

    expect((await send()).status).toBe(201);
    expect((await send()).status).toBe(409);
  });
});
