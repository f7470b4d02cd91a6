import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../test/accounts.ts";
import { outcomeOf } from "../../../../test/approvals/seed-approval.ts";
import { PREFIX, useHarness } from "../../../../test/harness.ts";
import { auditOf, seedService } from "../../../../test/project-seeds.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { TenantId } from "../../../foundation/ids.ts";

describe("POST /projects/{project_id}/env/compare", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  async function arrange() {
    const account = await accounts.seedAccount();
    const tenantId = account.developerId as TenantId;
    const tenant = await harness.seedKey(tenantId);
    const { project_id: projectId } = (
      await tenant.post("/projects", { name: "one", environments: ["development", "production"] })
    ).body;
    const set = (name: string, body: object) => tenant.put(`/projects/${projectId}/variables/${name}`, body);
    const compare = (
      body: object,
      headers: Readonly<Record<string, string>> = {},
      { id = projectId, accessToken = account.accessToken } = {},
    ) =>
      harness.send({
        method: "POST",
        url: `${PREFIX}/projects/${id}/env/compare`,
        remoteAddress: accounts.newAddress(),
        headers: {
          authorization: `Bearer ${accessToken}`,
          "content-type": "application/json",
          "x-svc-mode": "live",
          ...headers,
        },
        payload: JSON.stringify(body),
      });
    return { account, tenantId, tenant, projectId, set, compare };
  }

  const none = { environment: "development", values: {} };

  it("200: the result of each name, of variables and of services, in the environment", async () => {
    const { tenantId, projectId, set, compare } = await arrange();
    await seedService(harness.app, { tenantId, projectId, env: { DATABASE_URL: "postgres://neon", PGHOST: "neon" } });
    await set("SAME", { value: "1" });
    await set("DIFFERS", { value: "1", environments: ["development"] });
    await set("DIFFERS", { value: "2", environments: ["production"] });
    await set("EMPTY", { value: "" });
    await set("MISSING", { value: "" });
    const values = { SAME: "1", DIFFERS: "2", EMPTY: "", same: "1", PGHOST: "neon ", DATABASE_URL: "postgres://neon" };

    const { status, body, headers } = await compare({ environment: "development", values });

    expect([status, headers["cache-control"], headers["x-svc-mode"]]).toEqual([200, "no-store", "live"]);
    expect(body).toEqual({
      object: "env_comparison",
      environment: "development",
      names: [
        { name: "DATABASE_URL", result: "same" },
        { name: "DIFFERS", result: "differs" },
        { name: "EMPTY", result: "same" },
        { name: "MISSING", result: "missing" },
        { name: "PGHOST", result: "differs" },
        { name: "SAME", result: "same" },
        { name: "same", result: "extra" },
      ],
    });
    const production = await compare({ environment: "production", values: { DIFFERS: "2" } });
    expect(production.body.names).toContainEqual({ name: "DIFFERS", result: "same" });
  });

  it("200: audited with a count; no name, value or hash of one is stored or logged, also with an Idempotency-Key", async () => {
    const { tenantId, projectId, set, compare } = await arrange();
    const [stored, sent, extra] = [randomUUID(), randomUUID(), randomUUID()];
    const name = `A${randomUUID().replaceAll("-", "")}`;
    await set("TOKEN", { value: stored });
    const body = { environment: "development", values: { TOKEN: sent, [name]: extra } };
    const headers = { "idempotency-key": randomUUID() };

    const compared = await compare(body, headers);

    expect(compared.status).toBe(200);
    expect((await compare(body, headers)).headers["idempotent-replayed"]).toBeUndefined();
    const entries = (await auditOf(harness.app, projectId)).filter(({ action }) => action === "env.compared");
    expect(entries).toHaveLength(2);
    expect(entries[0]).toMatchObject({
      facts: { environment: "development", version: 1, count: 2 },
      actor: { type: "developer", id: tenantId, key_id: null },
    });
    const kept = (await accounts.everyRow()) + harness.logLines.join("\n");
    expect(kept).not.toContain(name);
    const everything = kept + compared.text;
    for (const value of [stored, sent, extra, JSON.stringify(body)]) {
      expect(everything).not.toContain(value);
      expect(everything).not.toContain(sha256Hex(value));
    }
  });

  it("401: a signed request; 422: a session without a mode; 403: from another site", async () => {
    const { tenant, projectId, account, compare } = await arrange();

    const signed = await tenant.post(`/projects/${projectId}/env/compare`, none);
    expect(outcomeOf(signed)).toEqual([401, "authentication_failed"]);
    const withoutMode = await compare(none, { "x-svc-mode": "" });
    expect([withoutMode.status, withoutMode.body.errors[0].pointer]).toEqual([422, "/headers/x-svc-mode"]);
    const byCookie = await harness.send({
      method: "POST",
      url: `${PREFIX}/projects/${projectId}/env/compare`,
      headers: {
        cookie: `svc_access=${account.accessToken}`,
        origin: "https://attacker.example",
        "content-type": "application/json",
        "x-svc-mode": "live",
      },
      payload: JSON.stringify(none),
    });
    expect(outcomeOf(byCookie)).toEqual([403, "cross_origin"]);
  });

  it("403: a login more than 15 minutes ago; the password is accepted instead", async () => {
    const { account, compare } = await arrange();
    harness.clock.advanceSeconds(901);
    const { refreshToken: refresh_token } = account;
    const { access_token: accessToken } = (await accounts.call("POST", "/token/refresh", { refresh_token })).body;

    expect(outcomeOf(await compare(none, {}, { accessToken }))).toEqual([403, "reauthentication_required"]);
    const wrong = await compare({ ...none, password: "another" }, {}, { accessToken });
    expect(outcomeOf(wrong)).toEqual([403, "reauthentication_required"]);
    expect((await compare({ ...none, password: PASSWORD }, {}, { accessToken })).status).toBe(200);
  });

  it("404: another account's project, one of the other mode, a deleted one; 409: a suspended one", async () => {
    const { tenant, projectId, compare } = await arrange();
    const other = await arrange();
    const notFound = [404, "project_not_found"];

    expect(outcomeOf(await compare(none, {}, { id: other.projectId }))).toEqual(notFound);
    expect(outcomeOf(await compare(none, { "x-svc-mode": "test" }))).toEqual(notFound);
    await accounts.query("update projects set status = 'suspended' where project_id = $1", [projectId]);
    expect(outcomeOf(await compare(none))).toEqual([409, "conflict"]);
    await accounts.query("update projects set status = 'active' where project_id = $1", [projectId]);
    await tenant.delete(`/projects/${projectId}`);
    expect(outcomeOf(await compare(none))).toEqual(notFound);
  });

  it("422: an unknown environment, 201 names, a name that is none, a value above 32 KiB in UTF-8", async () => {
    const { compare } = await arrange();
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_none, at) => [`A${at}`, ""]));
    const pointerOf = async (body: object) => (await compare(body)).body.errors?.[0].pointer;

    expect(await pointerOf({ ...none, environment: "staging" })).toBe("/body/environment");
    expect(await pointerOf({ values: {} })).toBe("/body/environment");
    expect(await pointerOf({ ...none, values: many(201) })).toBe("/body/values");
    expect(await pointerOf({ ...none, values: { "A-B": "" } })).toContain("/body/values");
    expect(await pointerOf({ ...none, values: { A: 1 } })).toBe("/body/values/A");
    expect(await pointerOf({ ...none, values: { A: "é".repeat(16_385) } })).toBe("/body/values/A");
    expect((await compare({ ...none, values: { ...many(199), A: "é".repeat(16_384) } })).status).toBe(200);
  });

  it("429: after 20 calls within a minute, of all sessions and projects of the account", async () => {
    const { compare } = await arrange();
    const other = await arrange();

    const statuses = (await Promise.all(Array.from({ length: 22 }, () => compare(none)))).map(({ status }) => status);

    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    const refused = await compare(none, { "x-svc-mode": "test" });
    expect(outcomeOf(refused)).toEqual([429, "rate_limited"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await other.compare(none)).status).toBe(200);
    harness.clock.advanceSeconds(61);
    expect((await compare(none)).status).toBe(200);
  });
});
