import { randomUUID } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { run } from "../../test/database.ts";
import { useHarness } from "../../test/harness.ts";
import type { App } from "../app.ts";
import { requestSignature, sha256Hex } from "../crypto/signing.ts";
import { withTransaction } from "../db/transaction.ts";
import { AppError, invalidField } from "../foundation/errors.ts";
import type { SaveResponse } from "../idempotency/claim.ts";
import { type ReplyOf, replyByReference, replyOnce } from "./idempotency.ts";
import { buildServer } from "./server.ts";

const SCHEMA = { response: { 200: Type.Object({}) } };

type Handler = (app: App, request: FastifyRequest, reply: ReplyOf<typeof SCHEMA>) => Promise<FastifyReply>;
type Command = (saveResponse: SaveResponse<object>) => Promise<object>;

describe("Idempotency-Key", () => {
  const harness = useHarness();
  const withKey = (key: string) => ({ headers: { "idempotency-key": key } });
  const newName = () => ({ name: `Project ${randomUUID()}` });
  const asSuperuser = (statement: string) => run(harness.database.superuserUrl, statement);

  /** Starts a server with one route, and returns a function that sends the same call to it with the same key. */
  async function serve(handler: Handler) {
    const tenant = await harness.seedTenant();
    const server = await buildServer(harness.app, {
      routes: [
        (here, app) =>
          here.route({
            ...{ method: "POST", url: "/strict", schema: SCHEMA },
            config: { auth: "tenant", scope: null, replayGuard: "strict" },
            handler: (request, reply) => handler(app, request, reply),
          }),
      ],
    });
    onTestFinished(() => server.close());
    const key = randomUUID();
    const send = () => {
      const timestamp = String(Math.floor(harness.clock.now().getTime() / 1000));
      const parts = { timestamp, method: "POST", path: "/strict", bodyHash: sha256Hex("") };
      const signature = requestSignature(sha256Hex(tenant.apiSecret), parts).toString("hex");
      return server.inject({
        method: "POST",
        url: "/strict",
        headers: {
          authorization: tenant.apiKey,
          "x-timestamp": timestamp,
          "x-nonce": randomUUID(),
          "x-request-signature": signature,
          "idempotency-key": key,
        },
      });
    };
    return { tenantId: tenant.tenantId, send };
  }

  afterEach(() => asSuperuser("drop trigger if exists fail_insert on projects"));

  it("201 with the same bytes and Idempotent-Replayed: a repeated call", async () => {
    const tenant = await harness.seedTenant();
    const [key, body] = [randomUUID(), newName()];
    const first = await tenant.post("/projects", body, withKey(key));
    harness.clock.advanceSeconds(3_600);

    const again = await tenant.post("/projects", body, withKey(key.toUpperCase()));

    expect(first).toMatchObject({ status: 201 });
    expect(first.headers["idempotent-replayed"]).toBeUndefined();
    expect(again).toMatchObject({
      status: 201,
      text: first.text,
      headers: { "idempotent-replayed": "true", "content-type": first.headers["content-type"] },
    });
    expect((await tenant.get("/projects")).body.data).toHaveLength(1);
  });

  it("201: the key can be used for another call after 24 hours", async () => {
    const tenant = await harness.seedTenant();
    const key = randomUUID();
    await tenant.post("/projects", newName(), withKey(key));

    harness.clock.advanceSeconds(24 * 3_600 - 1);
    expect((await tenant.post("/projects", newName(), withKey(key))).status).toBe(422);
    harness.clock.advanceSeconds(1);
    expect((await tenant.post("/projects", newName(), withKey(key))).status).toBe(201);
  });

  it.each([
    ["another body", newName(), {}],
    ["a body that differs in whitespace", undefined, {}],
    ["another agent", null, { "x-agent-id": "3b241101-e2bb-4255-8caf-4136c566a962" }],
  ])("422: the same key for %s", async (_case, other, headers) => {
    const tenant = await harness.seedTenant();
    const [key, body] = [randomUUID(), newName()];
    await tenant.post("/projects", body, withKey(key));

    const text = other === null ? JSON.stringify(body) : JSON.stringify(other ?? body, null, 1);
    const response = await tenant.sendRaw("POST", "/projects", text, {
      headers: { "idempotency-key": key, ...headers },
    });

    expect(response).toMatchObject({ status: 422, body: { code: "idempotency_conflict" } });
  });

  it("201: the same key for another developer, mode or route", async () => {
    const [one, other] = [await harness.seedTenant(), await harness.seedTenant()];
    const test = await harness.seedKey(one.tenantId, { mode: "test" });
    const [key, body] = [randomUUID(), newName()];

    const created = await one.post("/projects", body, withKey(key));
    expect(created.status).toBe(201);
    expect((await other.post("/projects", body, withKey(key))).status).toBe(201);
    expect((await test.post("/projects", body, withKey(key))).status).toBe(201);
    const path = `/projects/${created.body.project_id}`;
    expect((await one.patch(path, { description: "new" }, withKey(key))).status).toBe(200);
  });

  it("201 with the same bytes: a repeated call with a different API key; 403: that key lacks the scope", async () => {
    const tenant = await harness.seedTenant();
    const second = await harness.seedKey(tenant.tenantId);
    const [key, body] = [randomUUID(), newName()];
    const first = await tenant.post("/projects", body, withKey(key));

    expect((await second.post("/projects", body, withKey(key))).text).toBe(first.text);
    const reader = await harness.seedKey(tenant.tenantId, { scopes: ["projects:read"] });
    expect((await reader.post("/projects", body, withKey(key))).status).toBe(403);
  });

  it("422: a repeated call with an API key that is bound to a different project", async () => {
    const tenant = await harness.seedTenant();
    const [one, other] = [await tenant.post("/projects", newName()), await tenant.post("/projects", newName())];
    const bound = await harness.seedKey(tenant.tenantId, { projectIds: [other.body.project_id] });
    const [key, path] = [randomUUID(), `/projects/${one.body.project_id}`];
    const change = { description: "confidential" };
    expect((await tenant.patch(path, change, withKey(key))).status).toBe(200);

    expect((await bound.patch(path, change)).status).toBe(404);
    harness.clock.advanceSeconds(1);
    expect(await bound.patch(path, change, withKey(key))).toMatchObject({
      status: 422,
      body: { code: "idempotency_conflict" },
    });
  });

  it("409 with the same bytes: a conflict error is stored", async () => {
    const tenant = await harness.seedTenant();
    const [key, body] = [randomUUID(), newName()];
    const created = await tenant.post("/projects", body);
    const refused = await tenant.post("/projects", body, withKey(key));
    await tenant.delete(`/projects/${created.body.project_id}`);

    const again = await tenant.post("/projects", body, withKey(key));

    expect(refused).toMatchObject({ status: 409, body: { code: "already_exists" } });
    expect(again).toMatchObject({ status: 409, text: refused.text });
    expect(again.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
  });

  it("201 after 422: an invalid request does not use the key", async () => {
    const tenant = await harness.seedTenant();
    const key = randomUUID();

    expect((await tenant.post("/projects", {}, withKey(key))).status).toBe(422);
    expect((await tenant.post("/projects", { ...newName(), monthly_cap: "1.005" }, withKey(key))).status).toBe(422);
    expect((await tenant.post("/projects", newName(), withKey(key))).status).toBe(201);
  });

  it("201 or 409: one of 50 concurrent calls creates the project", async () => {
    const tenant = await harness.seedTenant();
    const [key, body] = [randomUUID(), newName()];

    const responses = await Promise.all(Array.from({ length: 50 }, () => tenant.post("/projects", body, withKey(key))));

    const created = responses.filter(({ status }) => status === 201);
    const inFlight = responses.filter(({ status }) => status === 409);
    expect(created.length + inFlight.length).toBe(50);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    expect(created.filter(({ headers }) => !headers["idempotent-replayed"])).toHaveLength(1);
    for (const response of inFlight) {
      expect(response).toMatchObject({
        body: { code: "idempotency_in_flight", retryable: true },
        headers: { "retry-after": "1" },
      });
    }
    expect((await tenant.get("/projects")).body.data).toHaveLength(1);
  });

  it("500: a failed call changes nothing and releases the key", async () => {
    const tenant = await harness.seedTenant();
    const [key, body] = [randomUUID(), newName()];
    await asSuperuser(`create or replace function fail_insert() returns trigger language plpgsql as
      $$ begin raise exception 'insert failed'; end $$`);
    await asSuperuser(
      "create trigger fail_insert before insert on projects for each row execute function fail_insert()",
    );

    const failed = await tenant.post("/projects", body, withKey(key));
    await asSuperuser("drop trigger fail_insert on projects");

    expect(failed).toMatchObject({ status: 500, body: { code: "internal_error" } });
    expect(failed.text).not.toContain("insert failed");
    expect((await tenant.post("/projects", body, withKey(key))).status).toBe(201);
  });

  it("409: the first call's process crashed; 201 after its one-minute lease", async () => {
    const tenant = await harness.seedTenant();
    const [key, body] = [randomUUID(), newName()];
    await tenant.post("/projects", body, withKey(key));
    // Simulates a process that reserved the Idempotency-Key and crashed before it changed anything.
    await asSuperuser(`update idempotency_records set state = 'in_flight', answer_status = null, answer_body = null
      where idempotency_key = '${key}'`);
    await asSuperuser("set session_replication_role = replica; delete from projects");

    expect(await tenant.post("/projects", body, withKey(key))).toMatchObject({
      status: 409,
      body: { code: "idempotency_in_flight" },
    });
    harness.clock.advanceSeconds(60);
    expect((await tenant.post("/projects", body, withKey(key))).status).toBe(201);
  });

  it.each(["not-a-uuid", "", "3b241101e2bb42558caf4136c566a962", `${randomUUID()}x`])(
    "422: the key is %j, on public routes too",
    async (key) => {
      const tenant = await harness.seedTenant();

      for (const response of [
        await tenant.post("/projects", newName(), withKey(key)),
        await harness.send({
          method: "POST",
          url: "/api/v1/svc/developers/login",
          payload: { email: "a@example.com", password: "p".repeat(12) },
          headers: { "idempotency-key": key },
        }),
      ]) {
        expect(response).toMatchObject({
          status: 422,
          body: { errors: [{ pointer: "/headers/idempotency-key" }] },
        });
      }
    },
  );

  it("200: GET, PUT and DELETE ignore an invalid key", async () => {
    const tenant = await harness.seedTenant();
    const created = await tenant.post("/projects", newName());
    const path = `/projects/${created.body.project_id}`;

    expect((await tenant.get(path, withKey("anything"))).status).toBe(200);
    expect((await tenant.delete(path, withKey("anything"))).status).toBe(200);
  });

  it("200 after 422: a validation_error from the command is not stored", async () => {
    let isValid = false;
    const { send } = await serve((app, request, reply) =>
      replyOnce(app, request, reply, { status: 200, present: () => ({}) }, async () => {
        if (!isValid) throw invalidField("/body/amount", "limit_exceeded", "is too much");
      }),
    );

    expect((await send()).statusCode).toBe(422);
    isValid = true;
    expect((await send()).statusCode).toBe(200);
  });

  it.each<[string, (execute: Command) => Handler]>([
    [
      "the response",
      (execute) => (app, request, reply) =>
        replyOnce(app, request, reply, { status: 200, present: (result) => result }, execute),
    ],
    [
      "a reference",
      (execute) => (app, request, reply) => {
        const resolve = async (body: object) => ({ kind: "response", body }) as const;
        return replyByReference(app, request, reply, { status: 200, resolve }, execute);
      },
    ],
  ])(
    "409 idempotency_in_flight: an error due to the slow first call, which has stored %s",
    async (_what, handlerOf) => {
      const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const mayCommit = Promise.withResolvers<void>();
      const runFirst: Command = async (saveResponse) => {
        started.resolve();
        await mayCommit.promise;
        await withTransaction(harness.app.db, tenantId, (tx) => saveResponse(tx, {}));
        return {};
      };
      const runSecond: Command = async () => {
        mayCommit.resolve();
        await ended.promise;
        throw new AppError("conflict");
      };
      const commands = [runFirst, runSecond];
      const execute: Command = async (saveResponse) => commands.shift()?.(saveResponse) ?? {};
      const { tenantId, send } = await serve(handlerOf(execute));

      const first = send().finally(ended.resolve);
      await started.promise;
      harness.clock.advanceSeconds(60);
      const second = await send();

      expect((await first).statusCode).toBe(200);
      expect([second.statusCode, second.json().code]).toEqual([409, "idempotency_in_flight"]);
      expect(second.headers["retry-after"]).toBe("1");
      const third = await send();
      expect([third.statusCode, third.headers["idempotent-replayed"]]).toEqual([200, "true"]);
    },
  );
});
