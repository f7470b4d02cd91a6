import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { adminsOf } from "../../../../test/admins.ts";
import { PREFIX, useHarness } from "../../../../test/harness.ts";
import { freezesOf } from "../../../../test/wallets/frozen-wallet.ts";
import { systemActor } from "../../../audit/actors.ts";
import { chainPendingEntries } from "../../../audit/chains/chain-pending-entries.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { appendEvent } from "../../../events/events.ts";
import { newId, OPERATOR_TENANT } from "../../../foundation/ids.ts";
import { anchorAudit } from "../../../workflows/anchor-audit.ts";

type Auth = { readonly headers: Readonly<Record<string, string>> };

function useConsole() {
  const harness = useHarness();
  const admins = adminsOf(harness);
  const { query } = accountsOf(harness);
  const get = (path: string, { headers }: Auth) =>
    harness.send({ method: "GET", url: `${PREFIX}/admin${path}`, headers });
  /** Returns the facts of what the admin has read. */
  const readsOf = async (adminId: string, action: string) =>
    (
      await query(
        `select facts from audit_entries where tenant_id = '${OPERATOR_TENANT}' and actor->>'id' = $1 and action = $2
         order by audit_id`,
        [adminId, action],
      )
    ).map(({ facts }) => facts);
  return { harness, admins, query, get, readsOf };
}

describe("GET /admin/me", () => {
  const { harness, admins, get } = useConsole();

  it("200: the admin of the token or cookie, and the end of the session", async () => {
    const expiresAt = new Date(harness.clock.now().getTime() + 600_000).toISOString();
    const { as, cookie, adminId, email } = await admins.seedSession();
    await admins.seedSession();
    const body = { object: "admin", admin_id: adminId, email, expires_at: expiresAt };

    expect(await get("/me", as)).toMatchObject({ status: 200, body });
    expect(await get("/me", { headers: { cookie, "sec-fetch-site": "cross-site" } })).toMatchObject({ body });
    await admins.post("/admin/logout", undefined, { headers: { cookie, "sec-fetch-site": "same-origin" } });
    expect((await get("/me", { headers: { cookie } })).status).toBe(401);
  });

  it("403 cross_origin: another site's page sends an unsafe call with the cookie", async () => {
    const { cookie } = await admins.seedSession();
    const path = `/admin/operations/${newId("op")}/retry`;
    const send = (headers: object) => admins.post(path, undefined, { headers: { cookie, ...headers } });

    for (const headers of [{ "sec-fetch-site": "same-site" }, { origin: "https://evil.example" }]) {
      expect(await send(headers)).toMatchObject({ status: 403, body: { code: "cross_origin" } });
    }
    expect((await send({ "sec-fetch-site": "same-origin" })).status).toBe(404);
  });
});

describe("the admin's cookie on https", () => {
  const harness = useHarness({ settings: { publicUrl: "https://purser.example" } });
  const admins = adminsOf(harness);

  it("has the prefix __Host-, and cannot be read by scripts", async () => {
    const admin = await admins.seedAdmin();
    const { headers } = await admins.sendCode(await admins.beginLogin(admin), admins.codeOf(admin));
    expect(headers["set-cookie"]).toMatch(
      /^__Host-svc_admin=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });
});

describe("GET /admin/wallets", () => {
  const { harness, admins, get, readsOf } = useConsole();
  const { arrange } = freezesOf(harness);
  const idsIn = ({ body }: { body: { data: { wallet_id: string }[] } }) => body.data.map(({ wallet_id }) => wallet_id);

  it("200: finds wallets of any developer by id, address and developer, and those that are frozen", async () => {
    const { as, adminId } = await admins.seedSession();
    const frozen = await arrange({ mode: "test" });
    const active = await arrange({ mode: "live" });
    await admins.post(`/admin${frozen.path}/freeze`, { reason: "sanctions_match", reference: "ofac-1" }, as);

    const { body } = await get("/wallets?frozen=true", as);
    expect(body.data).toMatchObject([
      {
        ...{
          object: "wallet",
          wallet_id: frozen.walletId,
          developer_id: frozen.tenantId,
          mode: "test",
          status: "frozen",
        },
        freeze: {
          ...{ database: { frozen: true }, onchain: { status: "not_frozen" }, mode: "full", reason: "sanctions_match" },
          ...{ reference: "ofac-1", frozen_by: { type: "admin", id: adminId }, frozen_at: expect.any(String) },
        },
        freeze_source: "admin",
      },
    ]);
    expect(idsIn(await get("/wallets?frozen=false", as))).toEqual([active.walletId]);
    const { address } = (await get(`/wallets?q=${active.walletId}`, as)).body.data[0];
    for (const text of [active.walletId, active.tenantId, address, address.toLowerCase()]) {
      expect(idsIn(await get(`/wallets?q=${text}`, as))).toEqual([active.walletId]);
    }
    expect(idsIn(await get(`/wallets?q=${active.walletId}&frozen=true`, as))).toEqual([]);
    expect(idsIn(await get("/wallets?q=%25", as))).toEqual([]);

    const first = await get("/wallets?limit=1", as);
    expect([idsIn(first), first.body.has_more]).toEqual([[active.walletId], true]);
    expect(idsIn(await get(`/wallets?limit=1&cursor=${first.body.next_cursor}`, as))).toEqual([frozen.walletId]);
    expect((await readsOf(adminId, "wallets.listed")).slice(0, 3)).toEqual([
      { searched: false, frozen: true },
      { searched: false, frozen: false },
      { searched: true, frozen: null },
    ]);
  });

  it("422: query is invalid; 401: a developer", async () => {
    const { as } = await admins.seedSession();
    for (const query of ["q=", "frozen=yes", "cursor=abc", "limit=101"]) {
      expect([query, (await get(`/wallets?${query}`, as)).status]).toEqual([query, 422]);
    }
    const tenant = await harness.seedTenant();
    for (const path of ["wallets", "audit", "health", "me"]) {
      expect((await tenant.get(`/admin/${path}`)).status).toBe(401);
    }
  });
});

describe("GET /admin/audit", () => {
  const { harness, admins, get, readsOf } = useConsole();
  type Entry = { action: string };
  const actionsIn = ({ body }: { body: { data: Entry[] } }) => body.data.map(({ action }) => action);

  async function anchorAll() {
    await chainPendingEntries(harness.app.db, { tenantId: OPERATOR_TENANT, chain: "tenant" });
    await anchorAudit(harness.app);
  }

  it("200: lists what admins have done, newest first, of one admin or about one developer", async () => {
    const first = await admins.seedSession();
    const second = await admins.seedSession();
    const { tenantId } = await harness.seedTenant();
    await get(`/developers/${tenantId}`, first.as);
    await admins.post("/developers/verify-kyb", { developer_id: tenantId, status: "verified" }, second.as);

    const about = await get(`/audit?developer_id=${tenantId}`, first.as);
    expect(about.body.data).toMatchObject([
      { action: "developer.kyb_updated", developer_id: tenantId, admin_id: second.adminId, ip: null },
      { action: "developer.shown", developer_id: null, admin_id: first.adminId, ip: "127.0.0.1" },
    ]);
    expect(actionsIn(await get(`/audit?admin_id=${second.adminId}`, first.as))).toEqual([
      "developer.kyb_updated",
      "admin.logged_in",
    ]);
    const page = await get(`/audit?admin_id=${second.adminId}&limit=1`, first.as);
    expect([actionsIn(page), page.body.has_more]).toEqual([["developer.kyb_updated"], true]);
    const rest = await get(`/audit?admin_id=${second.adminId}&limit=1&cursor=${page.body.next_cursor}`, first.as);
    expect(actionsIn(rest)).toEqual(["admin.logged_in"]);
    expect((await readsOf(first.adminId, "audit.listed"))[0]).toEqual({ admin_id: null, developer_id: tenantId });
  });

  it("200: shows whether the trail is in the anchor", async () => {
    const { as } = await admins.seedSession();
    const stateOf = async () => (await get("/audit", as)).body.anchor;
    await anchorAll();

    expect(await stateOf()).toMatchObject({
      ...{ status: "anchored", age_seconds: 0, mismatches: [] },
      latest_checkpoint: {
        tenant_id: OPERATOR_TENANT,
        chain: "tenant",
        anchored_at: harness.clock.now().toISOString(),
      },
    });
    await chainPendingEntries(harness.app.db, { tenantId: OPERATOR_TENANT, chain: "tenant" });
    const unanchoredSince = harness.clock.now().toISOString();
    harness.clock.advanceSeconds(300);
    expect(await stateOf()).toMatchObject({ status: "late", age_seconds: 300, unanchored_since: unanchoredSince });
    await anchorAll();
    expect((await stateOf()).status).toBe("anchored");

    const { tenantId } = await harness.seedTenant();
    await withTransaction(harness.app.db, tenantId, (tx) =>
      appendEvent(tx, systemActor({ tenantId }), {
        ...{ type: "audit.anchor_mismatch", subject: { type: "audit_chain", id: "provider_keys" } },
        ...{ data: { chain: "provider_keys" }, occurredAt: harness.clock.now(), sequence: null },
      }),
    );
    expect(await stateOf()).toMatchObject({
      ...{ status: "mismatch", mismatches: [{ tenant_id: tenantId, chain: "provider_keys" }] },
    });
  });
});

describe("GET /admin/health", () => {
  const { harness, admins, query, get, readsOf } = useConsole();

  it("200: returns the checks, and what waits and for how long", async () => {
    const { as, adminId } = await admins.seedSession();
    const { tenantId } = await harness.seedTenant();
    expect((await get("/health", as)).body).toMatchObject({
      ...{ object: "admin_health", ready: true, operations: { needs_operator: 0, running_long: 0 } },
      checks: { database: "ok", migrations: "ok", fast_state: "ok", clock: "ok" },
      outbox: { count: 0, oldest_age_seconds: null },
    });
    const now = harness.clock.now();
    const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
    for (const [subject, at] of [
      ["one", ago(90)],
      ["two", ago(30)],
      ["later", ago(-30)],
    ] as const) {
      await query("insert into due_work values ($1, 'drill', $2, $3, $3)", [tenantId, subject, at]);
    }
    await query(
      `insert into outbox_messages (tenant_id, message_id, topic, mode, payload, created_at, due_at)
       values ($1, $2, 'mail', 'live', '{}', $3, $4)`,
      [tenantId, randomUUID(), ago(7), ago(-600)],
    );
    await query(
      `insert into operations (tenant_id, operation_id, mode, type, subject_type, subject_id, status, actor, created_at, updated_at)
       select $1, 'op_' || status, 'live', 'drill', 'agent', status, status, '{}', $2, $2
       from unnest(array['needs_operator', 'running', 'succeeded']) as status`,
      [tenantId, ago(601)],
    );
    await query(
      `insert into network_cursors (network, started_block, block_number, block_hash, final_number, final_hash, read_at,
         stopped_at, balances_checked_at, created_at) values ('base', 1, 12, 'h', 10, 'h', $1, $2, $2, $2)`,
      [ago(4), now],
    );

    const { body } = await get("/health", as);

    expect(body.due_work).toContainEqual({ kind: "drill", count: 2, oldest_age_seconds: 90 });
    expect(body).toMatchObject({
      operations: { needs_operator: 1, running_long: 1 },
      outbox: { count: 1, oldest_age_seconds: 7 },
      networks: [
        { network: "base", block_number: 12, read_age_seconds: 4, disputed_at: null, stopped_at: now.toISOString() },
      ],
    });
    expect(await readsOf(adminId, "health.read")).toEqual([{}, {}]);
  });
});
