import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf, dumpDatabase } from "../../../../test/project-seeds.ts";
import { linkTokensOf } from "../../../../test/vendors/link-tokens.ts";
import type { LinkId } from "../../../foundation/ids.ts";
import { VendorError } from "../../../ports/vendor-error.ts";
import { continueDataKeyRotations, startDataKeyRotations } from "../../../vault/rotate-data-keys.ts";
import { ACTIVATION_DELAY_MS } from "../../../vault/vault.ts";
import { sealedColumns } from "../../../workflows/sealed-columns.ts";
import { refreshCatalogs } from "../../catalog/browse-catalog.ts";
import { openProviderAccess } from "../open-provider-access.ts";

const ACCEPTED = { access: true, refresh: true };
const REFUSED = { access: false, refresh: false };
const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const LEASE_S = 120;
const REVOKE = { vendor: "supabase", operation: "v1-revoke-token" } as const;

describe("revokeTokens", () => {
  const harness = useHarness({
    vendors: true,
    environment: { PURSER_PROVIDER_TIMEOUT_MS: "3000" },
  });
  const helpers = linkTokensOf(harness);
  const { services, link, tokensOf, acceptedOf, replace } = helpers;
  const { revokeDue, revokeCalls, waiting, reset } = helpers;
  beforeAll(() => refreshCatalogs(harness.app));
  beforeEach(reset);

  /** Arranges a link that was revoked. `logged` returns the log lines since then. */
  async function arrangeEnded() {
    const linked = await link();
    const stored = await tokensOf(linked.key);
    await linked.end();
    const from = harness.logLines.length;
    const calls = revokeCalls().length;
    return {
      ...linked,
      stored,
      logged: () => harness.logLines.slice(from),
      calls: () => revokeCalls().slice(calls),
      actions: async () => (await auditOf(harness.app, linked.linkId)).map(({ action }) => action).slice(3),
    };
  }

  async function linkQueue(provider = "acme-queue") {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    const link = await services.linkConfigured(tenant, projectId, provider);
    const linkId = link.linkId as LinkId;
    const stored = await tokensOf({ tenantId: tenant.tenantId, linkId });
    const end = () => tenant.delete(`/projects/${projectId}/links/${linkId}`);
    return { tenant, projectId, linkId, stored, end };
  }

  it("revokes the tokens of a configured provider", async () => {
    const { stored, end } = await linkQueue();
    await end();

    await revokeDue();

    expect(await acceptedOf(stored, "acme-queue")).toEqual(REFUSED);
    expect(await waiting()).toEqual([]);
  });

  it("deletes the tokens of a provider that cannot revoke them", async () => {
    const { linkId, end } = await linkQueue("acme-analytics");
    await end();
    expect(await waiting()).toHaveLength(1);

    await revokeDue();

    expect(await waiting()).toEqual([]);
    expect((await auditOf(harness.app, linkId)).at(-1)?.action).toBe("link.revoked");
  });

  it("leaves an account alone until its last link has ended", async () => {
    const first = await link();
    const second = await link({ tenant: first.tenant });
    const firstTokens = await tokensOf(first.key);
    await first.end();

    await revokeDue();

    expect(await waiting()).toEqual([]);
    harness.clock.advanceSeconds(HOUR_S);
    expect(await openProviderAccess(harness.app, second.key)).toMatchObject({
      accountId: expect.any(String),
    });
    expect((await auditOf(harness.app, first.linkId)).at(-1)?.action).toBe("link.revoked");

    const secondTokens = await tokensOf(second.key);
    await second.end();
    await revokeDue();

    expect(await acceptedOf(secondTokens)).toEqual(REFUSED);
    expect(await acceptedOf(firstTokens)).toEqual(REFUSED);
  });

  it("leaves an account alone that another tenant has linked in the other mode", async () => {
    const { end } = await link();
    const other = await link({ tenant: await harness.seedTenant({ mode: "test" }) });
    await end();

    await revokeDue();

    expect(await waiting()).toEqual([]);
    expect(await acceptedOf(await tokensOf(other.key))).toEqual(ACCEPTED);
  });

  it("leaves an account alone that was linked again after its link had ended", async () => {
    const { stored, projectId, tenant } = await arrangeEnded();
    await link({ tenant, projectId });

    await revokeDue();

    expect(await waiting()).toEqual([]);
    expect(await acceptedOf(stored)).toEqual(ACCEPTED);
  });

  it("revokes the tokens of an account that is also linked with a pasted token", async () => {
    const other = await link();
    await services.rows("update provider_links set flow = 'api_token' where link_id = $1", [other.linkId]);
    const { stored } = await arrangeEnded();

    await revokeDue();

    expect(await acceptedOf(stored)).toEqual(REFUSED);
  });

  it.each([
    ["leaves alone", "the tenant", ACCEPTED],
    ["does not leave alone", "another tenant", REFUSED],
  ])("%s an account without an id if %s has linked one of the same name", async (_what, whose, expected) => {
    const { tenant, key, end } = await link();
    const stored = await tokensOf(key);
    await link(whose === "the tenant" ? { tenant } : {});
    await services.rows("update provider_links set account_id = null");
    await end();

    await revokeDue();

    expect(await acceptedOf(stored)).toEqual(expected);
  });

  it("does not leave alone an account without an id if one of another name is linked", async () => {
    const { tenant, key, end } = await link();
    const stored = await tokensOf(key);
    await link({ tenant, persona: "grace" });
    await services.rows("update provider_links set account_id = null");
    await end();

    await revokeDue();

    expect(await acceptedOf(stored)).toEqual(REFUSED);
  });

  it("tries again with increasing delays while the provider fails", async () => {
    const { stored, calls, actions, logged } = await arrangeEnded();
    harness.sandbox.force({ ...REVOKE, outcome: "rate_limited", times: 3 });

    const delays: number[] = [];
    for (let seconds = 0; calls().length < 4; seconds += 60) {
      const before = calls().length;
      await revokeDue();
      if (calls().length > before) delays.push(seconds);
      harness.clock.advanceSeconds(60);
    }

    expect(delays).toEqual([0, 60, 180, 420]);
    expect(await acceptedOf(stored)).toEqual(REFUSED);
    expect(await waiting()).toEqual([]);
    expect(await actions()).toEqual(["link.tokens_revoked"]);
    expect(logged().filter((line) => line.includes("could not revoke tokens"))).toHaveLength(3);
  });

  it.each(["timeout_applied", "error_applied"] as const)(
    "succeeds with the second call if the first one was applied without a response (%s)",
    async (outcome) => {
      const { stored, calls, actions } = await arrangeEnded();
      harness.sandbox.force({ ...REVOKE, outcome });

      await revokeDue();
      expect(await waiting()).toHaveLength(1);
      harness.clock.advanceSeconds(60);
      await revokeDue();

      expect(calls()).toHaveLength(2);
      expect(await acceptedOf(stored)).toEqual(REFUSED);
      expect(await waiting()).toEqual([]);
      expect(await actions()).toEqual(["link.tokens_revoked"]);
    },
  );

  it("calls a provider that fails once per run and tenant", async () => {
    const { tenant, calls } = await arrangeEnded();
    const grace = await link({ tenant, persona: "grace" });
    await grace.end();
    harness.sandbox.force({ ...REVOKE, outcome: "rate_limited", times: 2 });

    await revokeDue();
    expect(calls()).toHaveLength(1);
    await revokeDue();
    expect(calls()).toHaveLength(2);
    await revokeDue();
    expect(calls()).toHaveLength(2);
  });

  it("gives up after seven days, and deletes the tokens", async () => {
    const { linkId, actions, logged } = await arrangeEnded();
    const tried: number[] = [];
    const from = harness.clock.now().getTime();
    replace("revoke", () => async () => {
      tried.push(harness.clock.now().getTime() - from);
      throw new VendorError("unauthorized", { ...REVOKE, vendorMessage: "401 Unauthorized" });
    });

    for (let hours = 0; hours < 8 * 24; hours += 1) {
      await revokeDue();
      harness.clock.advanceSeconds(HOUR_S);
    }

    expect(tried.length).toBeGreaterThan(20);
    expect(tried.at(-2)).toBeLessThan(7 * DAY_S * 1_000);
    expect(tried.at(-1)).toBeGreaterThanOrEqual(7 * DAY_S * 1_000);
    expect(await waiting()).toEqual([]);
    expect(await actions()).toEqual(["link.tokens_not_revoked"]);
    const errors = logged().filter((line) => line.includes('"level":50'));
    expect(errors).toHaveLength(1);
    expect(JSON.parse(errors[0] ?? "")).toMatchObject({
      subject: `${linkId} 0`,
      vendorMessage: "401 Unauthorized",
      msg: "could not revoke tokens: operator action required",
    });
  });

  it("calls the provider once for each link, with several workers at the same time", async () => {
    const linked = await Promise.all(Array.from({ length: 6 }, () => linkQueue()));
    for (const { end } of linked) await end();
    const calls = revokeCalls("acme-queue").length;

    await Promise.all([revokeDue(), revokeDue(), revokeDue()]);

    expect(revokeCalls("acme-queue")).toHaveLength(calls + linked.length);
    expect(await waiting()).toEqual([]);
    for (const { linkId, stored } of linked) {
      expect(await acceptedOf(stored, "acme-queue")).toEqual(REFUSED);
      const actions = (await auditOf(harness.app, linkId)).map(({ action }) => action);
      expect(actions.filter((action) => action === "link.tokens_revoked")).toHaveLength(1);
    }
  });

  it("repeats the call of a process that was killed after it", async () => {
    const { calls, actions } = await arrangeEnded();
    const { promise: isKilled, resolve: kill } = Promise.withResolvers<void>();
    const { promise: isContinued, resolve: proceed } = Promise.withResolvers<void>();
    replace("revoke", (revoke) => async (refreshToken) => {
      const isFirst = calls().length === 0;
      await revoke(refreshToken);
      if (!isFirst) return;
      kill();
      await isContinued;
    });
    const first = revokeDue();
    await isKilled;

    harness.clock.advanceSeconds(LEASE_S - 1);
    await revokeDue();
    expect(calls()).toHaveLength(1);
    harness.clock.advanceSeconds(1);
    await revokeDue();

    expect(calls()).toHaveLength(2);
    expect(await waiting()).toEqual([]);
    expect(await actions()).toEqual(["link.tokens_revoked"]);
    // The process was only paused.
    proceed();
    await first;
    expect(await actions()).toEqual(["link.tokens_revoked"]);
  });

  it("does the work of a tenant although that of another one fails", async () => {
    const broken = await linkQueue();
    const { stored, end } = await linkQueue();
    await broken.end();
    await end();
    await services.rows("update due_work set due_at = due_at - interval '1 hour' where subject like $1", [
      `${broken.linkId}%`,
    ]);
    await services.rows("update token_revocations set access_sealed = '\\x00' where link_id = $1", [broken.linkId]);

    await revokeDue();

    expect(await acceptedOf(stored, "acme-queue")).toEqual(REFUSED);
    expect(await waiting()).toMatchObject([{ link_id: broken.linkId, attempts: 1 }]);
  });

  it("revokes tokens that were encrypted with a data key that has been replaced", async () => {
    const { stored, tenantId } = await arrangeEnded();
    const madeBefore = harness.clock.now();
    await startDataKeyRotations(harness.app, { madeBefore, tenantId });
    harness.clock.advanceSeconds(ACTIVATION_DELAY_MS / 1_000);
    await continueDataKeyRotations(harness.app, sealedColumns);
    expect(await waiting()).toMatchObject([{ access_sealed_under: 2 }]);

    await revokeDue();

    expect(await acceptedOf(stored)).toEqual(REFUSED);
  });

  it("writes no token to the database or the log", async () => {
    const { stored } = await arrangeEnded();
    harness.sandbox.force({ ...REVOKE, outcome: "refused" });

    const whileWaiting = await dumpDatabase(harness.database.superuserUrl);
    await revokeDue();
    const afterFailure = await dumpDatabase(harness.database.superuserUrl);
    harness.clock.advanceSeconds(60);
    await revokeDue();

    expect(whileWaiting).toContain("public.token_revocations\n(");
    const written = whileWaiting + afterFailure + harness.logLines.join("");
    for (const token of [stored.accessToken, stored.refreshToken ?? ""]) {
      expect(token).not.toBe("");
      expect(written).not.toContain(token);
      expect(written).not.toContain(Buffer.from(token).toString("hex"));
    }
  });
});
