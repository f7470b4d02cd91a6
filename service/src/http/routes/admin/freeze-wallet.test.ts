import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf as sessionsOf } from "../../../../test/accounts.ts";
import { adminsOf } from "../../../../test/admins.ts";
import { type ApiResponse, PREFIX, useHarness } from "../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../test/project-seeds.ts";
import { freezesOf } from "../../../../test/wallets/frozen-wallet.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { SCOPES } from "../../../foundation/vocabulary.ts";

const SANCTIONS = { reason: "sanctions_match", reference: "ofac-1" };
type Caller = (verb: "freeze" | "unfreeze") => Promise<ApiResponse>;

describe("POST /admin/wallets/{wallet_id}/freeze and /unfreeze", () => {
  const harness = useHarness();
  const admins = adminsOf(harness);
  const { arrange, rowOf, stateOf, historyOf, countsOf } = freezesOf(harness);

  it.each(["test", "live"] as const)("204: freezes and unfreezes a %s wallet", async (mode) => {
    const wallet = await arrange({ mode });
    const { as, adminId } = await admins.seedSession();

    const frozen = await admins.post(`/admin${wallet.path}/freeze`, SANCTIONS, as);
    expect([frozen.status, frozen.text]).toEqual([204, ""]);
    expect(await stateOf(wallet)).toEqual(["frozen", "admin", "full", "full"]);
    const by = { type: "admin", id: adminId };
    expect(await rowOf(wallet)).toMatchObject({ frozenBy: by, freezeReference: "ofac-1" });

    const body = { note: "cleared", review_reference: "r-1" };
    expect((await admins.post(`/admin${wallet.path}/unfreeze`, body, as)).status).toBe(204);
    expect(await stateOf(wallet)).toEqual(["active", null, null, null]);

    const actor = { ...by, key_id: null, ip: null };
    expect(await auditOf(harness.app, wallet.walletId)).toMatchObject([
      { action: "wallet.frozen", mode, actor },
      { action: "wallet.unfrozen", mode, actor },
    ]);
    expect(await eventsOf(harness.app, wallet.walletId)).toMatchObject([
      { tenantId: wallet.tenantId, mode, type: "wallet.frozen" },
      { tenantId: wallet.tenantId, mode, type: "wallet.unfrozen" },
    ]);
    expect((await historyOf(wallet)).map(({ action, source }) => [action, source])).toEqual([
      ["freeze", "admin"],
      ["unfreeze", "admin"],
    ]);
  });

  it("204: an admin's freeze is full, and replaces the developer's", async () => {
    const wallet = await arrange();
    const { as } = await admins.seedSession();
    await wallet.tenant.post(`${wallet.path}/freeze`, { reason: "anomaly", mode: "outgoing_only" });

    const body = { ...SANCTIONS, mode: "outgoing_only" };
    await admins.post(`/admin${wallet.path}/freeze`, body, as);
    expect(await stateOf(wallet)).toEqual(["frozen", "admin", "full", "full"]);

    await wallet.tenant.post(`${wallet.path}/freeze`, { reason: "anomaly" });
    await admins.post(`/admin${wallet.path}/freeze`, SANCTIONS, as);
    expect(await rowOf(wallet)).toMatchObject({ freezeReason: "sanctions_match", epoch: 2 });
    expect(await countsOf(wallet)).toEqual([2, 2, 2]);
  });

  it("204: a repeated Idempotency-Key freezes once", async () => {
    const wallet = await arrange();
    const { as } = await admins.seedSession();
    const headers = { ...as.headers, "idempotency-key": randomUUID() };
    const freeze = () => admins.post(`/admin${wallet.path}/freeze`, SANCTIONS, { headers });
    await freeze();
    await admins.post(`/admin${wallet.path}/unfreeze`, {}, as);

    expect(await freeze()).toMatchObject({
      status: 204,
      headers: { "idempotent-replayed": "true" },
    });
    expect((await stateOf(wallet))[0]).toBe("active");
  });

  it("404: an unknown wallet, or a malformed id", async () => {
    const { tenantId } = await arrange();
    const { as } = await admins.seedSession();

    for (const id of ["wal_01jz000000000000000000000x", "wal_x", tenantId]) {
      const answers = [
        await admins.post(`/admin/wallets/${id}/freeze`, SANCTIONS, as),
        await admins.post(`/admin/wallets/${id}/unfreeze`, {}, as),
      ];
      for (const { status, body } of answers) {
        expect([status, body.code]).toEqual([404, "wallet_not_found"]);
      }
    }
  });

  it.each([{}, { reason: "other" }, { ...SANCTIONS, tenant: "x" }])("422: %j", async (body) => {
    const wallet = await arrange();
    const { as } = await admins.seedSession();

    expect((await admins.post(`/admin${wallet.path}/freeze`, body, as)).status).toBe(422);
    expect(await countsOf(wallet)).toEqual([0, 0, 0]);
  });

  it("401: a developer's signed request", async () => {
    const { tenant, path } = await arrange();

    expect((await tenant.post(`/admin${path}/freeze`, SANCTIONS)).status).toBe(401);
    expect((await tenant.post(`/admin${path}/unfreeze`, {})).status).toBe(401);
  });

  describe("who can lift whose freeze", () => {
    const SOURCES = ["a key", "a session", "a key of the agent", "an admin"] as const;
    type Source = (typeof SOURCES)[number];
    const sessions = sessionsOf(harness);

    async function arrangeCallers() {
      const { developerId, accessToken } = await sessions.seedAccount();
      const tenantId = developerId as TenantId;
      const wallet = await arrange({ developerId: tenantId });
      const { tenant, agentId, path } = wallet;
      const seed = { mode: "test", scopes: SCOPES, agentIds: [agentId] } as const;
      const bound = await harness.seedKey(tenantId, seed);
      const { as } = await admins.seedSession();
      const bodyOf = (verb: string) => (verb === "freeze" ? { reason: "anomaly" } : {});
      const callers: Readonly<Record<Source, Caller>> = {
        "a key": (verb) => tenant.post(`${path}/${verb}`, bodyOf(verb)),
        "a session": (verb) =>
          harness.send({
            method: "POST",
            url: `${PREFIX}${path}/${verb}`,
            headers: {
              authorization: `Bearer ${accessToken}`,
              "x-svc-mode": "test",
              "content-type": "application/json",
            },
            payload: JSON.stringify(bodyOf(verb)),
          }),
        "a key of the agent": (verb) => bound.post(`${path}/${verb}`, bodyOf(verb)),
        "an admin": (verb) => admins.post(`/admin${path}/${verb}`, bodyOf(verb), as),
      };
      return { wallet, callers };
    }

    function expectedOf(source: Source, caller: Source): readonly [number, string | undefined] {
      if (caller === "a key of the agent") return [403, "insufficient_scope"];
      const isRefused = source === "an admin" && caller !== "an admin";
      return isRefused ? [403, "admin_review_required"] : [204, undefined];
    }

    it.each(SOURCES)("a freeze by %s", async (source) => {
      const { wallet, callers } = await arrangeCallers();

      for (const caller of SOURCES) {
        expect((await callers[source]("freeze")).status).toBe(204);
        expect((await stateOf(wallet))[0]).toBe("frozen");
        const { status, body } = await callers[caller]("unfreeze");
        const expected = expectedOf(source, caller);
        expect([caller, status, body?.code]).toEqual([caller, ...expected]);
        expect((await stateOf(wallet))[0]).toBe(expected[0] === 204 ? "active" : "frozen");
        await callers["an admin"]("unfreeze");
        // The signature of a request depends on the second, and an unfreeze accepts each only once.
        harness.clock.advanceSeconds(1);
      }
    });
  });
});
