import { createHmac, randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import fc from "fast-check";
import type { FastifyReply, FastifyRequest } from "fastify";
import { describe, expect, it } from "vitest";
import { PREFIX, REQUEST_CONNECTIONS, useHarness } from "../../../../test/harness.ts";
import { asSuperuser, auditOf, eventsOf, seedLargeVariables } from "../../../../test/project-seeds.ts";
import { seedAgent } from "../../../../test/services.ts";
import { chainAllPendingEntries } from "../../../audit/chains/chain-pending-entries.ts";
import { auditHeadRows } from "../../../audit/chains/queries.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { canonicalJson } from "../../../foundation/canonical-json.ts";
import { withConnectionShare } from "../../../foundation/connection-share.ts";
import { startJobs } from "../../../jobs/runner.ts";
import { relayDueMessages } from "../../../workflows/relay-outbox.ts";

const VALUES = { B_URL: "postgres://u:p@h/d?x=1", A_TEXT: 'é "quoted"\n$HOME `x` \\', EMPTY: "" };

describe("GET /projects/{project_id}/env", () => {
  const harness = useHarness();

  async function arrange(
    values: Readonly<Record<string, string>> = VALUES,
    {
      environments = ["development", "production"],
      ...fields
    }: Record<string, unknown> & {
      environments?: string[];
    } = {},
  ) {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "one", environments, ...fields });
    const id = body.project_id as string;
    for (const [name, value] of Object.entries(values)) {
      await tenant.put(`/projects/${id}/variables/${name}`, { value });
    }
    const path = `/projects/${id}/env`;
    return {
      tenant,
      id,
      path,
      pull: (query = "", headers = {}) => tenant.get(path + query, { headers }),
      pulls: async () => (await auditOf(harness.app, id)).filter(({ action }) => action === "env.pulled"),
    };
  }

  const signatureOf = (apiKey: string, text: string) =>
    createHmac("sha256", apiKey).update(Buffer.from(text, "utf8")).digest("hex");

  it("200: returns canonical JSON, signed under the caller's key, with the fingerprint of its values", async () => {
    const { tenant, id, pull } = await arrange();

    const { status, headers, text, body } = await pull();

    expect(status).toBe(200);
    expect(text).toBe(canonicalJson(body));
    expect(headers).toMatchObject({
      "x-svc-signature": signatureOf(tenant.apiKey, text),
      "cache-control": "no-store",
      "content-type": "application/json; charset=utf-8",
    });
    expect(headers["content-encoding"]).toBeUndefined();
    expect(body).toEqual({
      object: "env_bundle",
      project_id: id,
      environment: "development",
      version: 3,
      env: VALUES,
      variables: ["A_TEXT", "B_URL", "EMPTY"].map((name) => ({
        name,
        source: "project",
        sensitive: true,
        updated_at: harness.clock.now().toISOString(),
      })),
      fingerprint: sha256Hex(canonicalJson(VALUES)),
      fingerprint_alg: "sha256",
      pulled_at: harness.clock.now().toISOString(),
      audit_id: expect.stringMatching(/^aud_/),
      // A_TEXT ends with a backslash, so python-dotenv does not find B_URL either.
      warnings: ["dotenv_unportable:A_TEXT", "dotenv_unportable:B_URL"],
    });
  });

  it("200: a different key of the tenant receives a different signature", async () => {
    const { tenant, path } = await arrange();
    const other = await harness.seedKey(tenant.tenantId);

    const { text, headers } = await other.get(path, { headers: { "accept-encoding": "gzip, br" } });

    expect(headers["x-svc-signature"]).toBe(signatureOf(other.apiKey, text));
    expect(headers["x-svc-signature"]).not.toBe(signatureOf(tenant.apiKey, text));
    expect(headers["content-encoding"]).toBeUndefined();
  });

  it("200: dotenv is sorted, quoted and signed", async () => {
    const { tenant, pull } = await arrange();

    const { text, headers } = await pull("?format=dotenv");

    expect(text).toBe(`A_TEXT='${VALUES.A_TEXT}'\nB_URL='postgres://u:p@h/d?x=1'\nEMPTY=''\n`);
    expect(headers).toMatchObject({
      "x-svc-signature": signatureOf(tenant.apiKey, text),
      "content-type": "text/plain; charset=utf-8",
    });
  });

  it("200: values that some readers read otherwise are named in the header of dotenv and in warnings", async () => {
    const names = Array.from({ length: 22 }, (_, index) => `V${index + 10}`);
    const { pull } = await arrange({
      ...Object.fromEntries(names.map((name) => [name, "$1"])),
      PLAIN: "it's\nplain",
    });

    const dotenv = await pull("?format=dotenv");
    const few = await pull("?format=dotenv&keys=V10,V11,PLAIN");
    const others = [
      await pull("?format=dotenv&keys=PLAIN"),
      await pull("?format=dotenv&names_only=true"),
      await pull("?format=docker&keys=V10"),
    ];

    const header = "x-svc-dotenv-warnings";
    expect(dotenv.headers[header]).toBe([...names.slice(0, 20), "+2"].join(", "));
    expect(few.headers[header]).toBe("V10, V11");
    expect(others.map(({ headers }) => headers[header])).toEqual([undefined, undefined, undefined]);
    expect((await pull("?keys=V10,PLAIN")).body.warnings).toEqual(["dotenv_unportable:V10"]);
  });

  it("200: docker has raw lines and is signed; 422: names the values with line breaks, without an audit entry", async () => {
    const { tenant, pull, pulls } = await arrange({ A: "it's $1", B: "", LF: "a\nb", CR: "a\rb" });

    const { text, headers } = await pull("?format=docker&keys=A,B");
    const names = await pull("?format=docker&names_only=true");
    const refused = await pull("?format=docker");

    expect(text).toBe("A=it's $1\nB=\n");
    expect(headers).toMatchObject({
      "x-svc-signature": signatureOf(tenant.apiKey, text),
      "content-type": "text/plain; charset=utf-8",
    });
    expect(names.text).toBe("A=\nB=\nCR=\nLF=\n");
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual([
      expect.objectContaining({
        pointer: "/query/format",
        detail: expect.stringMatching(/: CR, LF$/),
      }),
    ]);
    expect(await pulls()).toHaveLength(2);
  });

  it("200: names_only omits the values but returns the fingerprint that covers them", async () => {
    const { tenant, pull } = await arrange();

    const full = await pull();
    const names = await pull("?names_only=true");
    const dotenv = await pull("?names_only=true&format=dotenv");

    expect(names.body.env).toBeNull();
    expect(names.body.variables).toEqual(full.body.variables);
    expect(names.body.fingerprint).toBe(full.body.fingerprint);
    expect(names.headers["x-svc-signature"]).toBe(signatureOf(tenant.apiKey, names.text));
    expect(names.text).not.toContain("postgres:");
    expect(dotenv.text).toBe("A_TEXT=\nB_URL=\nEMPTY=\n");
  });

  it("200: other tenants, new keys and jobs continue while one tenant's pulls use all its connections", async () => {
    const { app } = harness;
    const [busy, other] = await Promise.all([arrange(), arrange()]);
    const unseen = await harness.seedKey(other.tenant.tenantId);
    const allHeld = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    let heldCount = 0;
    const hold = (until: Promise<void>) =>
      withConnectionShare({ pool: "requests", owner: busy.tenant.tenantId }, () =>
        withTransaction(app.db, busy.tenant.tenantId, async (tx) => {
          await auditHeadRows.find(tx, { tenantId: busy.tenant.tenantId, chain: "tenant" });
          heldCount += 1;
          if (heldCount === REQUEST_CONNECTIONS) allHeld.resolve();
          await until;
        }),
      );
    const one = Promise.withResolvers<void>();
    const holding = [
      hold(one.promise),
      ...Array.from({ length: REQUEST_CONNECTIONS - 1 }, () => hold(released.promise)),
    ];
    await allHeld.promise;
    const answered: string[] = [];
    const pulls = Array.from({ length: 40 }, () => busy.pull().then(({ status }) => answered.push(`busy ${status}`)));
    const bystander = unseen.get(`/projects/${other.id}`).then(({ status }) => answered.push(`other ${status}`));

    const jobs = startJobs(
      [
        { name: "renew-workflow-lease", everyMs: 1, run: () => app.durable.renewLease() },
        { name: "relay-outbox", everyMs: 1, run: () => relayDueMessages(app) },
        { name: "link-audit", everyMs: 1, run: () => chainAllPendingEntries(app) },
      ],
      app.log,
    );
    await jobs.stop();
    expect(harness.logLines.filter((line) => line.includes("job failed"))).toEqual([]);
    expect(answered).toEqual([]);
    one.resolve();
    await bystander;

    expect(answered.indexOf("other 200")).toBeLessThan(5);
    released.resolve();
    await Promise.all([...holding, ...pulls]);
    expect(answered.filter((answer) => answer === "busy 200")).toHaveLength(40);
  });

  it("200: an existing bundle exceeds the size limit for new variables", async () => {
    const { tenant, id, pull } = await arrange({});
    const place = { tenantId: tenant.tenantId, projectId: id };
    await seedLargeVariables(harness.app, place, { environment: "development", count: 40 });

    expect(Object.keys((await pull()).body.env)).toHaveLength(40);
  });

  it("429: large pull while the tenant has 4 MiB of unsent responses, before any value is read", async () => {
    const { tenant, id, pull, pulls } = await arrange({});
    const place = { tenantId: tenant.tenantId, projectId: id };
    await seedLargeVariables(harness.app, place, { environment: "development", count: 1 });
    const raw = new EventEmitter();
    const { tenantId } = tenant;
    const request = { method: "GET", ip: "::1", principal: { tenantId } } as FastifyRequest;
    const reply = { raw } as FastifyReply;
    harness.server.unsentBytes.hold(request, reply, 5 * 1024 * 1024);

    expect(await pull()).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
    expect(await pulls()).toEqual([]);
    const other = await arrange({});
    await seedLargeVariables(
      harness.app,
      { tenantId: other.tenant.tenantId, projectId: other.id },
      { environment: "development", count: 1 },
    );
    expect((await other.pull()).status).toBe(200);
    raw.emit("close");
    expect((await pull()).status).toBe(200);
    expect((await pull()).status).toBe(200);
  });

  it("200: keys selects variables, and warnings lists names that are not set", async () => {
    const { pull } = await arrange();

    const { body } = await pull("?keys=B_URL,MISSING,B_URL");

    expect(body.env).toEqual({ B_URL: VALUES.B_URL });
    expect(body.variables).toHaveLength(1);
    expect(body.fingerprint).toBe(sha256Hex(canonicalJson({ B_URL: VALUES.B_URL })));
    expect(body.warnings).toEqual(["MISSING is not set in development."]);
  });

  it("200: the default environment is development if it exists, otherwise the project's first", async () => {
    const { pull } = await arrange({}, { environments: ["production", "development"] });
    const other = await arrange({}, { environments: ["staging", "production"] });

    expect((await pull()).body.environment).toBe("development");
    expect((await pull("?environment=production")).body.environment).toBe("production");
    expect((await other.pull()).body.environment).toBe("staging");
  });

  it("200: project without variables", async () => {
    const { tenant, pull } = await arrange({});

    const json = await pull();
    const dotenv = await pull("?format=dotenv");

    expect(json.body).toMatchObject({ env: {}, variables: [], version: 0 });
    expect(json.body.fingerprint).toBe(sha256Hex("{}"));
    expect([dotenv.status, dotenv.text]).toEqual([200, ""]);
    expect(dotenv.headers["x-svc-signature"]).toBe(signatureOf(tenant.apiKey, ""));
  });

  it("200: two pulls within one second write two audit entries and two events", async () => {
    const { tenant, id, pull, pulls } = await arrange();

    const first = await pull("?environment=production");
    const second = await pull("?format=dotenv&names_only=true&keys=EMPTY");

    const entries = await pulls();
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(entries).toMatchObject([
      {
        auditId: first.body.audit_id,
        mode: "live",
        actor: { type: "developer", id: tenant.tenantId, key_id: tenant.keyId },
        facts: {
          environment: "production",
          format: "json",
          names_only: false,
          version: first.body.version,
          count: 3,
          not_modified: false,
        },
      },
      { facts: { format: "dotenv", names_only: true, count: 1 } },
    ]);
    // The fingerprint is a hash of the variables. The audit entries must not contain it, because their readers could
    // guess weak passwords from the hash.
    expect(JSON.stringify(entries)).not.toContain(first.body.fingerprint);
    const events = await eventsOf(harness.app, id);
    expect(events.filter(({ type }) => type === "env.pulled")).toMatchObject([
      { sequence: null, data: { audit_id: first.body.audit_id } },
      { sequence: null },
    ]);
  });

  it("304: the caller's copy is current; the response is unsigned, and the pull is audited", async () => {
    const { pull, pulls } = await arrange();
    const { etag } = (await pull()).headers;

    const answers = [
      await pull("", { "if-none-match": etag }),
      await pull("", { "if-none-match": String(etag).replace("W/", "") }),
      await pull("", { "if-none-match": `"other", ${etag}` }),
      await pull("", { "if-none-match": "*" }),
    ];

    for (const answer of answers) {
      expect([answer.status, answer.text]).toEqual([304, ""]);
      expect(answer.headers["x-svc-signature"]).toBeUndefined();
      expect(answer.headers).toMatchObject({ etag, "cache-control": "no-store" });
    }
    expect((await pulls()).map(({ facts }) => facts["not_modified"])).toEqual([false, true, true, true, true]);
  });

  it("200: the ETag belongs to another format, to names, to other keys or to old values", async () => {
    const { tenant, id, pull } = await arrange();
    const headers = { "if-none-match": String((await pull()).headers.etag) };

    const others = [
      await pull("?format=dotenv", headers),
      await pull("?names_only=true", headers),
      await pull("?keys=EMPTY", headers),
    ];
    await tenant.put(`/projects/${id}/variables/EMPTY`, { value: "no more" });
    const changed = await pull("", headers);

    expect([...others, changed].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const tags = new Set([...others, changed].map((answer) => answer.headers.etag));
    expect(tags.size).toBe(4);
  });

  it("200: key with env:read is bound to an agent of the project; 404 for other agents", async () => {
    const agent = randomUUID();
    const { tenant, path } = await arrange(VALUES, { agent_ids: [agent] });
    await seedAgent(harness.app, { tenantId: tenant.tenantId, agentId: agent });
    const bound = await harness.seedKey(tenant.tenantId, {
      agentIds: [agent],
      scopes: ["env:read"],
    });
    const other = await harness.seedKey(tenant.tenantId, { agentIds: [randomUUID()] });
    const blind = await harness.seedKey(tenant.tenantId, { scopes: ["projects:read"] });

    const answers = [await bound.get(path), await other.get(path), await blind.get(path)];

    expect(answers.map(({ status }) => status)).toEqual([200, 404, 403]);
    expect(answers[0]?.body.env).toEqual(VALUES);
  });

  it("401: dashboard session, although it can read the project", async () => {
    const { tenant, id, path } = await arrange();
    const { tenantId } = tenant;
    const sessionId = randomUUID();
    const at = harness.clock.now();
    const expiresAt = new Date(at.getTime() + 60_000);
    await withTransaction(harness.app.db, tenantId, (tx) =>
      tx.insertInto("sessions").values({ tenantId, sessionId, createdAt: at, lastUsedAt: at, expiresAt }).execute(),
    );
    const token = await harness.app.accessTokens.issue({ subject: tenantId, sessionId }, at);
    const headers = { authorization: `Bearer ${token}`, "x-svc-mode": "live" };

    const project = await harness.send({ method: "GET", url: `${PREFIX}/projects/${id}`, headers });
    const env = await harness.send({ method: "GET", url: PREFIX + path, headers });

    expect([project.status, env.status]).toEqual([200, 401]);
    expect(env.body.detail).toBe("Authentication failed.");
  });

  it.each([
    ["environment=qa", "/query/environment"],
    ["environment=PROD", "/query/environment"],
    ["environment=", "/query/environment"],
    ["format=yaml", "/query/format"],
    ["names_only=maybe", "/query/names_only"],
    ["keys=", "/query/keys"],
    ["keys=1A", "/query/keys"],
    ["keys=A,,B", "/query/keys"],
    ["reveal=true", "/query/reveal"],
  ])("422: ?%s, without an audit entry", async (query, pointer) => {
    const { pull, pulls } = await arrange();

    const answer = await pull(`?${query}`);

    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
    expect(await pulls()).toEqual([]);
  });

  it.each(["audit_entries", "audit_pending", "events"])(
    "500: %s cannot be written, and no secret is sent",
    async (table) => {
      const secret = `secret-${randomUUID()}`;
      const { pull, pulls } = await arrange({ HIDDEN: secret });
      const { superuserUrl } = harness.database;
      await asSuperuser(superuserUrl, async (client) => {
        await client.query(
          `create or replace function break_down() returns trigger language plpgsql as
           $$ begin raise exception 'out of order'; end $$`,
        );
        await client.query(
          `create trigger broken before insert on ${table} for each row execute function break_down()`,
        );
      });

      const answers = [await pull(), await pull("?format=dotenv"), await pull("", { "if-none-match": "*" })];

      await asSuperuser(superuserUrl, (client) => client.query(`drop trigger broken on ${table}`));
      for (const { status, text, headers } of answers) {
        expect(status).toBe(500);
        expect(text).not.toContain(secret);
        expect(headers["x-svc-signature"]).toBeUndefined();
        expect(headers.etag).toBeUndefined();
      }
      expect(await pulls()).toEqual([]);
      expect((await pull()).body.env).toEqual({ HIDDEN: secret });
    },
  );

  it("200: bytes and fingerprint do not depend on the order in which variables were set", async () => {
    const value = fc.string({ unit: "binary", maxLength: 40 }).filter((text) => !text.includes("\0"));
    const name = fc.stringMatching(/^V_[A-CX-Z_]{1,3}$/);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 5 }), async (values) => {
        const entries = Object.entries(values);
        const forward = await arrange(Object.fromEntries(entries));
        const reverse = await arrange(Object.fromEntries(entries.reverse()));

        const [one, two] = [await forward.pull(), await reverse.pull()];

        expect(one.body.env).toEqual({ ...values });
        expect(one.body.fingerprint).toBe(two.body.fingerprint);
        expect(one.body.fingerprint).toBe(sha256Hex(canonicalJson({ ...values })));
        expect((await forward.pull("?format=dotenv")).text).toBe((await reverse.pull("?format=dotenv")).text);
      }),
      { numRuns: 25 },
    );
  });
});

describe("GET /projects/{project_id}/env under the strict replay guard", () => {
  const harness = useHarness({ settings: { replayGuard: "strict" } });

  it("409 signature_replayed: the same pull is sent a second time", async () => {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "one" });
    const path = `/projects/${body.project_id}/env`;

    const answers = [await tenant.get(path), await tenant.get(path)];

    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
  });
});
