import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../../test/project-seeds.ts";
import { connectTo, seedAgent, servicesOf, until } from "../../../../../test/services.ts";
import { runDueWork } from "../../../../due-work/run-due-work.ts";
import { settleDueCharges } from "../../../../modules/charges/settle-due-charges.ts";
import { retireDueCredentials } from "../../../../workflows/rotate-service/retire-credentials.ts";

const ONE = [{ one: 1 }];
const REFUSED = { code: "28P01" };

async function query(databaseUrl: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe("POST /projects/{project_id}/services/{service_id}/rotate", () => {
  const harness = useHarness({
    vendors: true,
    settings: { vendorRetryMs: 20, vendorAttempts: { brief: 2, long: 3 } },
  });
  const services = servicesOf(harness);

  async function arrange(provider: "neon" | "supabase" | "acme-db" = "neon", config = {}, plan = "free") {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    if (provider === "supabase") await services.linkSupabase(tenant, projectId);
    else await services.linkByToken(tenant, projectId, provider);
    const slug = provider === "supabase" ? "project" : "postgres";
    if (plan !== "free") await services.attachCard(tenant, projectId);
    const body = { service: `${provider}/${slug}`, config, plan };
    const added = (await services.add(tenant, projectId, body)).body;
    await services.allEnded(projectId);
    const serviceId = added.service.service_id as string;
    const path = `/projects/${projectId}/services/${serviceId}`;
    const env = async () => (await tenant.get(`/projects/${projectId}/env`)).body.env;
    return { tenant, projectId, serviceId, path, env, url: (await env()).DATABASE_URL as string };
  }

  async function endGrace(seconds = 3_600) {
    harness.clock.advanceSeconds(seconds);
    await runDueWork(harness.app, retireDueCredentials);
  }

  /** Returns the versions of the service's stored secrets, by kind. */
  async function storedVersions(serviceId: string) {
    const text = "select kind, version from service_secrets where service_id = $1 order by kind, version";
    return (await services.rows(text, [serviceId])).map(({ kind, version }) => `${kind} ${version}`);
  }

  it("200: the former credential is accepted until the end of the grace period, the new one from the publication on", async () => {
    const { tenant, serviceId, path, env, url } = await arrange();
    expect(await connectTo(url)).toEqual(ONE);

    const { status, body } = await tenant.post(`${path}/rotate`, {});

    const until = new Date(harness.clock.now().getTime() + 3_600_000).toISOString();
    expect([status, body]).toEqual([
      200,
      {
        service_id: serviceId,
        credential_version: 2,
        mode: "overlap",
        status: "pending",
        previous_valid_until: until,
        env_names: expect.arrayContaining(["DATABASE_URL", "PGPASSWORD"]),
        changed: true,
        warnings: ["former_version_in_use"],
        operation_id: expect.any(String),
        poll_url: null,
      },
    ]);
    const renewed = (await env()).DATABASE_URL;
    expect(renewed).not.toBe(url);
    expect([await connectTo(url), await connectTo(renewed)]).toEqual([ONE, ONE]);
    const service = (await tenant.get(path)).body;
    expect(service.status).toBe("active");
    expect(service.credential).toMatchObject({
      version: 2,
      previous_valid_until: until,
      pulled_by: [{ key_id: tenant.keyId, version: 2 }],
    });
    expect(await storedVersions(serviceId)).toEqual([...["env 1", "env 2", "password 1", "password 2"]]);

    const operation = (await tenant.get(`/operations/${body.operation_id}`)).body;
    expect([operation.type, operation.status]).toEqual(["service.rotate", "succeeded"]);
    const statuses = operation.steps.map((step: { status: string }) => step.status);
    expect(statuses).toEqual(["succeeded", "succeeded", "skipped", "succeeded"]);

    await endGrace(3_599);
    expect(await connectTo(url)).toEqual(ONE);
    await endGrace(1);

    await expect(connectTo(url)).rejects.toMatchObject(REFUSED);
    expect(await connectTo(renewed)).toEqual(ONE);
    expect((await env()).DATABASE_URL).toBe(renewed);
    const rotated = (await tenant.get(path)).body;
    expect([rotated.status, rotated.credential.previous_valid_until]).toEqual(["active", null]);
    expect(await storedVersions(serviceId)).toEqual(["env 2", "password 2"]);
  });

  it("200: the two logins take turns, and each can change the other's tables", async () => {
    const { tenant, path, env, url } = await arrange();
    await query(url, "create table notes (text text); insert into notes values ('kept')");
    const urls = [url];
    for (const version of [2, 3, 4]) {
      const { body } = await tenant.post(`${path}/rotate`, {});
      expect(body).toMatchObject({ credential_version: version, changed: true });
      const renewed = (await env()).DATABASE_URL;
      await query(renewed, `alter table notes add column v${version} text`);
      await query(renewed, `create table t${version} ()`);
      await endGrace();
      for (const former of urls) await expect(connectTo(former)).rejects.toMatchObject(REFUSED);
      urls.push(renewed);
    }

    const newest = urls.at(-1) ?? "";
    await query(newest, "drop table t2; drop table t3; alter table notes drop column v2");
    expect(await query(newest, "select text from notes")).toEqual([{ text: "kept" }]);
    expect(new Set(urls.map((each) => new URL(each).username)).size).toBe(2);
    expect((await tenant.delete(path)).status).toBe(200);
  });

  it("200: open connections of the former credential end with it", async () => {
    const { tenant, path, url } = await arrange();
    const client = new Client({ connectionString: url });
    const ended = new Promise((resolve) => client.on("error", resolve));
    await client.connect();
    await tenant.post(`${path}/rotate`, {});
    expect((await client.query("select 1 as one")).rows).toEqual(ONE);

    await endGrace();

    await expect(ended).resolves.toMatchObject({ code: "57P01" });
  });

  it("200: with a grace period of 0, the former credential is refused when the response arrives", async () => {
    const { tenant, path, env, url } = await arrange();

    const { body } = await tenant.post(`${path}/rotate`, { grace_period_seconds: 0 });

    expect(body).toMatchObject({ status: "completed", changed: true, previous_valid_until: null });
    expect(body.poll_url).toBeNull();
    await expect(connectTo(url)).rejects.toMatchObject(REFUSED);
    expect(await connectTo((await env()).DATABASE_URL)).toEqual(ONE);
  });

  it("409: a second rotation during the grace period says until when the former credential is valid", async () => {
    const { tenant, path, env } = await arrange();
    const first = (await tenant.post(`${path}/rotate`, {})).body;
    const { DATABASE_URL: renewed } = await env();

    const { status, body, headers } = await tenant.post(`${path}/rotate`, { reason: "personnel" });

    expect([status, body.code]).toEqual([409, "conflict"]);
    expect(headers["retry-after"]).toBeUndefined();
    expect(body.detail).toContain(first.previous_valid_until);
    expect(body.errors).toMatchObject([{ pointer: "/body/retire_previous" }]);
    expect((await env()).DATABASE_URL).toBe(renewed);
  });

  it.each([{ retire_previous: true }, { reason: "compromised" }])(
    "200: a second rotation with %o ends the grace period, and issues another credential",
    async (order) => {
      const { tenant, serviceId, path, env, url } = await arrange();
      const first = (await tenant.post(`${path}/rotate`, {})).body;
      const { DATABASE_URL: renewed } = await env();

      const { status, body } = await tenant.post(`${path}/rotate`, order);

      expect([status, body.changed, body.credential_version]).toEqual([200, true, 3]);
      await expect(connectTo(url)).rejects.toMatchObject(REFUSED);
      const newest = (await env()).DATABASE_URL;
      expect(await connectTo(newest)).toEqual(ONE);
      await endGrace();
      await expect(connectTo(renewed)).rejects.toMatchObject(REFUSED);
      expect(await connectTo(newest)).toEqual(ONE);
      expect((await tenant.get(path)).body).toMatchObject({
        ...{ status: "active", credential: { version: 3, previous_valid_until: null } },
      });
      const rotated = (await auditOf(harness.app, serviceId)).filter(({ action }) => action === "service.rotated");
      expect(rotated.map(({ facts }) => facts)).toMatchObject(
        [first, body].map(({ operation_id, credential_version }) => ({ operation_id, credential_version })),
      );
    },
  );

  it("409: no rotation starts while the former credential is being retired, or may be", async () => {
    const { tenant, path, env } = await arrange();
    await tenant.post(`${path}/rotate`, {});
    const operation = "resetProjectBranchRolePassword";
    harness.sandbox.force({ vendor: "neon", operation, outcome: "slow", delayMs: 2_500 });
    const retiring = endGrace();
    await until(
      () => services.rows("select 1 from service_rotations where retiring_until is not null"),
      (rows) => rows.length > 0,
    );

    const { status, body } = await tenant.post(`${path}/rotate`, { reason: "compromised" });

    expect([status, body.code]).toEqual([409, "conflict"]);
    await retiring;
    // The provider answered too late, so it is not known whether the former credential's reset is still to come.
    expect((await tenant.post(`${path}/rotate`, { reason: "compromised" })).status).toBe(409);
    harness.clock.advanceSeconds(120);
    const again = await tenant.post(`${path}/rotate`, { reason: "compromised" });
    expect([again.status, again.body.credential_version]).toEqual([200, 3]);
    expect(await connectTo((await env()).DATABASE_URL)).toEqual(ONE);
  });

  it("200: the plan can be changed during the grace period, which goes on", async () => {
    const { tenant, projectId, path, env, url } = await arrange();
    await services.attachCard(tenant, projectId);
    const rotation = (await tenant.post(`${path}/rotate`, {})).body;

    const upgraded = await tenant.post(`${path}/upgrade`, { plan: "launch" });

    expect([upgraded.status, upgraded.body.status]).toEqual([200, "completed"]);
    expect((await tenant.get(path)).body).toMatchObject({
      ...{ plan: "launch", status: "active" },
      credential: { version: 2, previous_valid_until: rotation.previous_valid_until },
    });
    expect([await connectTo(url), await connectTo((await env()).DATABASE_URL)]).toEqual([ONE, ONE]);
    await endGrace();
    await expect(connectTo(url)).rejects.toMatchObject(REFUSED);
    expect(await connectTo((await env()).DATABASE_URL)).toEqual(ONE);
  });

  it("200, 409: of rotations at the same time, one runs", async () => {
    const { tenant, projectId, path, env } = await arrange();

    const responses = await Promise.all(Array.from({ length: 5 }, () => tenant.post(`${path}/rotate`, {})));

    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    expect((await services.heldFor(projectId)).operations).toHaveLength(2);
    expect(await connectTo((await env()).DATABASE_URL)).toEqual(ONE);
  });

  it("200: the same Idempotency-Key returns the same rotation", async () => {
    const { tenant, path } = await arrange();
    const headers = { "idempotency-key": randomUUID() };
    const first = await tenant.post(`${path}/rotate`, {}, { headers });

    const again = await tenant.post(`${path}/rotate`, {}, { headers });

    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
  });

  it("200: writes audit entries and events without secrets", async () => {
    const { tenant, projectId, serviceId, path, env } = await arrange();
    const before = (await env()).PGPASSWORD;
    await tenant.post(`${path}/rotate`, {});
    const after = (await env()).PGPASSWORD;
    await endGrace();

    const entries = (await auditOf(harness.app, serviceId)).slice(-3);
    expect(entries).toMatchObject([
      {
        action: "service.rotation_requested",
        facts: { reason: "scheduled", grace_period_seconds: 3_600 },
      },
      { action: "service.rotation_published", facts: { credential_version: 2, mode: "overlap" } },
      { action: "service.rotated", actor: { id: tenant.tenantId } },
    ]);
    const events = await eventsOf(harness.app, serviceId);
    expect(events.slice(-2).map(({ type }) => type)).toEqual(["service.rotation_pending", "service.rotated"]);
    const ofProject = await eventsOf(harness.app, projectId);
    expect(ofProject.filter(({ type }) => type === "env.changed")).toHaveLength(1);
    const stored = JSON.stringify([entries, events, ofProject]);
    for (const secret of [before, after]) expect(stored).not.toContain(secret);
  });

  it("200: the service can be removed during the grace period, which ends the former credential too", async () => {
    const { tenant, projectId, path, url } = await arrange();
    const { body } = await tenant.post(`${path}/rotate`, {});

    const removed = await tenant.delete(path);

    expect([removed.status, removed.body.status]).toEqual([200, "removed"]);
    await expect(connectTo(url)).rejects.toThrow();
    expect((await tenant.get(`/operations/${body.operation_id}`)).body.status).toBe("succeeded");
    await endGrace();
    expect((await services.heldFor(projectId)).secrets).toEqual([]);
    expect(await services.rows("select kind from due_work")).toEqual([]);
  });

  it("200: the project can be deleted during the grace period", async () => {
    const { tenant, projectId, path } = await arrange();
    await tenant.post(`${path}/rotate`, {});

    const deleted = await tenant.delete(`/projects/${projectId}`);

    expect([deleted.status, deleted.body.status]).toEqual([200, "deleted"]);
  });

  describe("a rotation and a removal of a paid service at the same time", () => {
    /** The provider responds late, so that the second call arrives while the first one is running. */
    const LATE = { vendor: "neon", outcome: "slow", delayMs: 300 } as const;

    async function arrangePaid() {
      const arranged = await arrange("neon", {}, "launch");
      const { tenant, projectId, path } = arranged;
      const rotate = () => tenant.post(`${path}/rotate`, { grace_period_seconds: 0 });
      const remove = () => tenant.delete(path);
      const untilRunning = (type: string) =>
        until(
          async () => (await services.heldFor(projectId)).operations.at(-1),
          (operation) => operation.type === type,
        );
      return { ...arranged, rotate, remove, untilRunning };
    }

    /** Expects that the service was removed, and that nothing of it is left or charged twice. */
    async function expectRemoved(
      { tenant, projectId, serviceId, url }: Awaited<ReturnType<typeof arrangePaid>>,
      operationsExpected: readonly string[],
    ) {
      await services.allEnded(projectId);
      // The provider reports metered use after an hour.
      harness.clock.advanceSeconds(3_600);
      await settleDueCharges(harness.app);
      const { services: held, secrets, charges, operations } = await services.heldFor(projectId);
      expect(operations.map(({ type, status }) => `${type} ${status}`)).toEqual(operationsExpected);
      expect([held, secrets]).toMatchObject([[{ status: "removed" }], []]);
      expect(await services.resourcesOf("neon", [serviceId])).toEqual([]);
      await expect(connectTo(url)).rejects.toThrow();
      // One of the 30 days of the reserved 5.00, rounded up: the provider does not report a deleted resource's use.
      expect(charges).toMatchObject([{ status: "succeeded", amount_cents: "17", plan: "launch" }]);
      const { cap } = (await tenant.get(`/projects/${projectId}/status`)).body;
      expect([cap.spent, cap.reserved]).toEqual(["0.17", "0.00"]);
    }

    const ROTATED = ["service.add succeeded", "service.rotate succeeded"];

    it("409: the removal arrives while the rotation is running; it succeeds afterwards", async () => {
      const arranged = await arrangePaid();
      const { tenant, path, rotate, remove, untilRunning, url } = arranged;
      harness.sandbox.force({ ...LATE, operation: "listProjectBranches" });

      const rotating = rotate();
      await untilRunning("service.rotate");
      const refused = await remove();
      const rotation = await rotating;

      const { operation_id: operationId } = rotation.body;
      expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
      expect(refused.body.next_action.url).toMatch(new RegExp(`/operations/${operationId}$`));
      expect([rotation.status, rotation.body.status]).toEqual([200, "completed"]);
      expect((await tenant.get(path)).body.status).toBe("active");
      await expect(connectTo(url)).rejects.toMatchObject(REFUSED);
      expect((await remove()).status).toBe(200);
      await expectRemoved(arranged, [...ROTATED, "service.remove succeeded"]);
    });

    it("409: the rotation arrives while the removal is running", async () => {
      const arranged = await arrangePaid();
      const { rotate, remove, untilRunning } = arranged;
      harness.sandbox.force({ ...LATE, operation: "deleteProject" });

      const removing = remove();
      await untilRunning("service.remove");
      const refused = await rotate();
      const removal = await removing;

      expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
      expect([removal.status, removal.body.status]).toEqual([200, "removed"]);
      await expectRemoved(arranged, ["service.add succeeded", "service.remove succeeded"]);
    });

    it("whichever comes first, they run one after the other", async () => {
      const arranged = await arrangePaid();
      const { rotate, remove } = arranged;

      const [rotation, removal] = await Promise.all([rotate(), remove()]);

      const isRotated = rotation.status === 200;
      if (isRotated) expect(rotation.body).toMatchObject({ status: "completed", changed: true });
      else expect(["conflict", "service_not_found"]).toContain(rotation.body.code);
      expect(isRotated ? [200, 409] : [200]).toContain(removal.status);
      if (removal.status === 409) expect((await remove()).status).toBe(200);
      const before = isRotated ? ROTATED : ROTATED.slice(0, 1);
      await expectRemoved(arranged, [...before, "service.remove succeeded"]);
    });
  });

  it("200 immediate: Supabase's database password and secret key are replaced, with a warning of downtime", async () => {
    const { tenant, path, env } = await arrange("supabase");
    const former = await env();

    const { status, body } = await tenant.post(`${path}/rotate`, {});

    expect([status, body]).toMatchObject([
      200,
      { mode: "immediate", status: "completed", changed: true, previous_valid_until: null },
    ]);
    expect(body.warnings).toEqual(["downtime", "not_verified", "former_version_in_use"]);
    const renewed = await env();
    expect(renewed.SUPABASE_SECRET_KEY).not.toBe(former.SUPABASE_SECRET_KEY);
    expect(renewed.DATABASE_URL).not.toBe(former.DATABASE_URL);
    expect(renewed.SUPABASE_PUBLISHABLE_KEY).toBe(former.SUPABASE_PUBLISHABLE_KEY);
    const objects = JSON.stringify(await harness.sandbox.objects("supabase"));
    expect(objects).not.toContain(former.SUPABASE_SECRET_KEY);
    const again = await tenant.post(`${path}/rotate`, { confirm_downtime: true });
    expect(again.body.warnings).not.toContain("downtime");
    expect((await env()).SUPABASE_SECRET_KEY).not.toBe(renewed.SUPABASE_SECRET_KEY);
  });

  it("200: the provider returned the same credential, so nothing is published", async () => {
    const { tenant, serviceId, path, env, url } = await arrange("acme-db", {
      rotation: "same_secret",
    });

    const { status, body } = await tenant.post(`${path}/rotate`, {});

    expect([status, body]).toMatchObject([
      200,
      { credential_version: 1, changed: false, status: "completed", warnings: ["unchanged"] },
    ]);
    expect((await env()).DATABASE_URL).toBe(url);
    expect((await tenant.get(path)).body).toMatchObject({
      status: "active",
      credential: { version: 1 },
    });
    expect(await storedVersions(serviceId)).toEqual(["env 1", "password 1"]);
  });

  it.each([
    ["502: the provider refuses", "refused", 502, "provider_error"],
    ["503: the new credential is not accepted", "unusable", 503, "provider_unavailable"],
  ])("%s, so the former one remains published", async (_title, rotation, expected, code) => {
    const { tenant, projectId, serviceId, path, env, url } = await arrange("acme-db", { rotation });

    const { status, body } = await tenant.post(`${path}/rotate`, {});

    expect([status, body.code]).toEqual([expected, code]);
    expect((await env()).DATABASE_URL).toBe(url);
    expect((await tenant.get(path)).body.status).toBe("active");
    expect(await storedVersions(serviceId)).toEqual(["env 1", "password 1"]);
    expect((await services.heldFor(projectId)).operations.at(-1).status).toBe("failed");
    const last = (await auditOf(harness.app, serviceId)).at(-1);
    expect(last).toMatchObject({ action: "service.rotation_failed", facts: { code } });
  });

  it("200: the provider ended the former credential, but its answer is not usable; the operation needs an operator", async () => {
    const { tenant, projectId, path, env, url } = await arrange("acme-db");
    const acme = harness.app.providers.get("acme-db");
    const { rotate } = acme ?? {};
    const withoutUrl: typeof rotate = async (...order) => {
      const rotated = await rotate?.(...order);
      return { mode: "overlap", ...rotated, env: {} };
    };
    Object.assign(acme ?? {}, { rotate: withoutUrl });
    onTestFinished(() => void Object.assign(acme ?? {}, { rotate }));

    await tenant.post(`${path}/rotate`, {});

    expect((await services.heldFor(projectId)).operations.at(-1).status).toBe("needs_operator");
    Object.assign(acme ?? {}, { rotate });
    expect((await tenant.post(`${path}/rotate`, {})).body.status).toBe("completed");
    expect((await env()).DATABASE_URL).not.toBe(url);
  });

  it("200: if the former credential cannot be retired, it is tried again", async () => {
    const { tenant, projectId, path, env, url } = await arrange();
    const operation = "resetProjectBranchRolePassword";
    harness.sandbox.force({ vendor: "neon", operation, outcome: "refused", times: 2 });

    const headers = { "idempotency-key": randomUUID() };
    const rotate = () => tenant.post(`${path}/rotate`, { grace_period_seconds: 0 }, { headers });

    const { status, body } = await rotate();

    expect([status, body]).toMatchObject([200, { status: "pending", changed: true }]);
    expect(body.warnings).toContain("former_credential_not_retired");
    expect((await services.heldFor(projectId)).operations.at(-1).status).toBe("needs_operator");
    const { DATABASE_URL: renewed } = await env();
    await endGrace(60);
    expect([await connectTo(url), await connectTo(renewed)]).toEqual([ONE, ONE]);
    expect((await tenant.get(path)).body).toMatchObject({
      ...{ status: "active", credential: { version: 2, previous_valid_until: body.previous_valid_until } },
    });

    await endGrace(60);

    await expect(connectTo(url)).rejects.toMatchObject(REFUSED);
    expect((await env()).DATABASE_URL).toBe(renewed);
    expect((await tenant.get(path)).body.credential.previous_valid_until).toBeNull();
    expect((await rotate()).body).toMatchObject({ status: "completed", warnings: [] });
  });

  describe("a compromised credential of a service whose former credential was not retired", () => {
    const operation = "resetProjectBranchRolePassword";

    async function arrangeUnretired() {
      const arranged = await arrange();
      harness.sandbox.force({ vendor: "neon", operation, outcome: "refused" });
      await arranged.tenant.post(`${arranged.path}/rotate`, { grace_period_seconds: 0 });
      const { DATABASE_URL: published } = await arranged.env();
      expect((await arranged.tenant.get(arranged.path)).body.status).toBe("active");
      return { ...arranged, published: published as string };
    }

    const rotateCompromised = ({ tenant, path }: Awaited<ReturnType<typeof arrangeUnretired>>) =>
      tenant.post(`${path}/rotate`, { reason: "compromised" });

    it("200: a new one is published, and all former ones are refused", async () => {
      const arranged = await arrangeUnretired();
      const { tenant, serviceId, path, env, url, published } = arranged;

      const { status, body } = await rotateCompromised(arranged);

      expect([status, body]).toMatchObject([
        200,
        { status: "completed", changed: true, credential_version: 3, previous_valid_until: null },
      ]);
      const { DATABASE_URL: renewed } = await env();
      expect(await connectTo(renewed)).toEqual(ONE);
      for (const former of [url, published]) {
        await expect(connectTo(former)).rejects.toMatchObject(REFUSED);
      }
      const service = (await tenant.get(path)).body;
      expect([service.status, service.credential.version]).toEqual(["active", 3]);
      expect(await storedVersions(serviceId)).toEqual(["env 3", "password 3"]);
      const types = (await eventsOf(harness.app, serviceId)).map(({ type }) => type);
      expect(types.slice(-3)).toEqual(["service.rotated", "service.rotation_pending", "service.rotated"]);
    });

    it("502: the provider refuses again to retire the former one; the published one stays, and the next call rotates it", async () => {
      const arranged = await arrangeUnretired();
      const { tenant, serviceId, path, env, url, published } = arranged;
      harness.sandbox.force({ vendor: "neon", operation, outcome: "refused" });

      const { status, body } = await rotateCompromised(arranged);

      expect([status, body.code]).toEqual([502, "provider_error"]);
      expect((await env()).DATABASE_URL).toBe(published);
      expect((await tenant.get(path)).body.status).toBe("active");
      expect(await storedVersions(serviceId)).toEqual([...["env 1", "env 2", "password 1", "password 2"]]);
      const again = await rotateCompromised(arranged);
      expect(again.body).toMatchObject({ status: "completed", credential_version: 3 });
      for (const former of [url, published]) {
        await expect(connectTo(former)).rejects.toMatchObject(REFUSED);
      }
    });
  });

  it("200: an agent's key rotates services of its projects; 404 in other projects", async () => {
    const { tenant, projectId, path } = await arrange();
    const other = await arrange();
    const agentId = await seedAgent(harness.app, { tenantId: tenant.tenantId });
    await tenant.patch(`/projects/${projectId}`, { agent_ids: [agentId] });
    const scopes = ["services:write", "projects:read"] as const;
    const key = await harness.seedKey(tenant.tenantId, { agentIds: [agentId], scopes });

    expect((await key.post(`${path}/rotate`, {})).status).toBe(200);
    expect((await key.post(`${other.path}/rotate`, {})).status).toBe(404);
    expect((await other.tenant.post(`${path}/rotate`, {})).status).toBe(404);
  });

  it("200: of more than 50 API keys, those that have pulled a former version come first", async () => {
    const { tenant, serviceId, path } = await arrange("acme-db");
    const pull = (keyId: string, version: number, pulledAt: string) =>
      services.rows("insert into credential_pulls values ($1, $2, $3, $4, $5)", [
        ...[tenant.tenantId, serviceId, keyId, version, pulledAt],
      ]);
    for (let key = 0; key < 51; key += 1) await pull(`key_new_${key}`, 2, "2026-11-02T00:00:00Z");
    await pull("key_late", 1, "2026-11-01T00:00:00Z");

    const { pulled_by: pulls } = (await tenant.get(path)).body.credential;

    expect(pulls).toHaveLength(50);
    const versions = pulls.map(({ version }: { version: number }) => version);
    expect(versions).toEqual(versions.toSorted());
    expect(pulls.map(({ key_id: id }: { key_id: string }) => id)).toContain("key_late");
  });

  it("200: a compromised credential is rotated although a change of plan waits for an approval, which is canceled", async () => {
    const { tenant, projectId, path } = await arrange("acme-db");
    await services.attachCard(tenant, projectId);
    const project = { monthly_cap: "1.00", cap_behavior: "require_approval" };
    await tenant.patch(`/projects/${projectId}`, project);
    const { approval } = (await tenant.post(`${path}/upgrade`, { plan: "standard" })).body;
    expect((await tenant.post(`${path}/rotate`, {})).status).toBe(409);

    const { body } = await tenant.post(`${path}/rotate`, { reason: "compromised" });

    expect(body).toMatchObject({ status: "completed", changed: true, credential_version: 2 });
    const { status } = (await tenant.get(`/approvals/${approval.approval_id}`)).body;
    expect(status).toBe("canceled");
    expect((await tenant.get(path)).body).toMatchObject({ plan: "free", status: "active" });
  });

  it("404: the service was removed", async () => {
    const { tenant, path } = await arrange("acme-db");
    await tenant.delete(path);

    const { status, body } = await tenant.post(`${path}/rotate`, {});

    expect([status, body.code]).toEqual([404, "service_not_found"]);
  });

  it("409: the service could not be added", async () => {
    const { tenant, projectId } = await arrange("acme-db");
    const config = { fail_at: "provisioning" };
    await services.add(tenant, projectId, { service: "acme-db/postgres", config });
    const { service_id: serviceId } = (await services.heldFor(projectId)).services.at(-1);

    const { status, body } = await tenant.post(`/projects/${projectId}/services/${serviceId}/rotate`, {});

    expect([status, body.code]).toEqual([409, "conflict"]);
  });

  it.each([
    ["grace_period_seconds", -1],
    ["grace_period_seconds", 86_401],
    ["reason", "bored"],
  ])("422: %s is %s", async (field, value) => {
    const { tenant, path } = await arrange("acme-db");

    const { status, body } = await tenant.post(`${path}/rotate`, { [field]: value });

    expect([status, body.errors[0].pointer]).toEqual([422, `/body/${field}`]);
  });
});
