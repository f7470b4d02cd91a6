import { describe, expect, it } from "vitest";
import { auditOf, eventsOf } from "../../../test/project-seeds.ts";
import { useLinking } from "../../../test/vendors/linking.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { LinkId, TenantId } from "../../foundation/ids.ts";
import { expireLinks } from "./links.ts";
import { openProviderAccess } from "./open-provider-access.ts";
import { findActiveLink } from "./queries.ts";

const HOUR_S = 3_600;
/** How long adapters wait for a vendor's response. */
const VENDOR_TIMEOUT_MS = 10_000;

describe("openProviderAccess", () => {
  const { harness, supabase, arrange } = useLinking();

  async function arrangeLinked() {
    const project = await arrange();
    const { linkId } = await project.linkByConsent();
    const key = { tenantId: project.tenant.tenantId, linkId };
    const open = (pause?: (ms: number) => Promise<void>) =>
      openProviderAccess(harness.app, key, pause === undefined ? {} : { pause });
    return { ...project, key, open };
  }

  /** Makes the next refresh wait for `release` after the provider has responded. */
  function holdNextRefresh() {
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    const { oauth } = supabase.byConsent;
    const refresh = oauth?.refresh;
    if (oauth === null || refresh === undefined) throw new Error("Supabase has no OAuth app here.");
    oauth.refresh = async (refreshToken) => {
      oauth.refresh = refresh;
      const tokens = await refresh(refreshToken);
      hold();
      await isReleased;
      return tokens;
    };
    return { isHeld, release };
  }

  const versionOf = ({ tenantId, linkId }: { tenantId: TenantId; linkId: LinkId }) =>
    withTransaction(harness.app.db, tenantId, (tx) =>
      tx.selectFrom("providerLinkSecrets").select("version").where("linkId", "=", linkId).executeTakeFirst(),
    );

  it("returns the account and the stored token while the token is valid", async () => {
    const { open } = await arrangeLinked();
    const calls = supabase.calls.length;

    const access = await open();
    harness.clock.advanceSeconds(HOUR_S - 61);

    expect(access).toEqual({
      accessToken: expect.stringMatching(/^token-ada-/),
      accountId: "org-ada",
    });
    expect(await open()).toEqual(access);
    expect(supabase.calls).toHaveLength(calls);
  });

  it("refreshes each token one minute before it expires", async () => {
    const { key, open } = await arrangeLinked();
    const seen = [(await open()).accessToken];

    for (let index = 0; index < 3; index += 1) {
      harness.clock.advanceSeconds(HOUR_S - 60);
      seen.push((await open()).accessToken);
      expect((await open()).accessToken).toBe(seen.at(-1));
    }

    expect(new Set(seen).size).toBe(4);
    expect(await versionOf(key)).toEqual({ version: 3 });
  });

  it("returns the same token to concurrent callers and stores one refresh", async () => {
    const { key, open } = await arrangeLinked();
    harness.clock.advanceSeconds(HOUR_S);
    const calls = supabase.calls.length;
    const { promise: allAsked, resolve } = Promise.withResolvers<void>();
    supabase.control.during = () => {
      if (supabase.calls.length === calls + 8) resolve();
      return allAsked;
    };

    const opened = await Promise.all(Array.from({ length: 8 }, () => open()));
    supabase.control.during = async () => {};

    expect(new Set(opened.map(({ accessToken }) => accessToken)).size).toBe(1);
    expect(await versionOf(key)).toEqual({ version: 1 });
    expect(await open()).toEqual(opened[0]);
  });

  it("stores only the first result if the provider accepts two concurrent refreshes", async () => {
    const { key, open } = await arrangeLinked();
    harness.clock.advanceSeconds(HOUR_S);
    const tokens = { accessToken: "ours", refreshToken: "r", expiresAt: null };
    let other: Promise<unknown> | undefined;
    const slow = {
      ...supabase.byConsent,
      oauth: {
        ...supabase.byConsent.oauth,
        refresh: async () => {
          other = open();
          await other;
          return tokens;
        },
      },
    };
    const app = {
      ...harness.app,
      providers: new Map([["supabase", slow as typeof supabase.byConsent]]),
    };

    const late = await openProviderAccess(app, key);

    expect(late).toEqual(await other);
    expect(await versionOf(key)).toEqual({ version: 1 });
  });

  it("provider_not_linked: the provider rejects the refresh token, and the link expires", async () => {
    const { tenant, id, key, open, read, begin } = await arrangeLinked();
    harness.clock.advanceSeconds(HOUR_S);
    supabase.forget();
    let pausedMs = 0;
    const pause = async (ms: number) => {
      expect((await read(key.linkId)).status).toBe("linked");
      pausedMs += ms;
    };

    await expect(open(pause)).rejects.toMatchObject({ code: "provider_not_linked" });

    expect(pausedMs).toBeGreaterThan(VENDOR_TIMEOUT_MS);
    expect(await read(key.linkId)).toMatchObject({ status: "expired" });
    expect(await findActiveLink(harness.app.db, { ...key, projectId: id, provider: "supabase" })).toBe(undefined);
    expect((await auditOf(harness.app, key.linkId)).at(-1)).toMatchObject({
      action: "link.expired",
      actor: { type: "system" },
    });
    expect((await eventsOf(harness.app, key.linkId)).at(-1)).toMatchObject({
      type: "link.expired",
    });
    expect((await begin("supabase")).status).toBe("pending_auth");
    expect(tenant.tenantId).toBe(key.tenantId);
  });

  it("waits for a concurrent refresh for at least the vendor timeout", async () => {
    const { key, open, read } = await arrangeLinked();
    harness.clock.advanceSeconds(HOUR_S);
    const { isHeld, release } = holdNextRefresh();
    const slow = open();
    await isHeld;
    let pausedMs = 0;

    const other = await open(async (ms) => {
      pausedMs += ms;
      if (pausedMs < VENDOR_TIMEOUT_MS) return;
      release();
      await slow;
    });

    expect(other).toEqual(await slow);
    expect((await read(key.linkId)).status).toBe("linked");
    expect(await versionOf(key)).toEqual({ version: 1 });
  });

  /** Arranges a link that expired because its refresh took too long. `finish` delivers the late response. */
  async function arrangeLate() {
    const linked = await arrangeLinked();
    harness.clock.advanceSeconds(HOUR_S);
    const { isHeld, release } = holdNextRefresh();
    const late = linked.open();
    await isHeld;
    await expect(linked.open(async () => {})).rejects.toMatchObject({
      code: "provider_not_linked",
    });
    expect((await linked.read(linked.key.linkId)).status).toBe("expired");
    return {
      ...linked,
      finish: () => {
        release();
        return late;
      },
    };
  }

  it("provider_not_linked: the link has expired before its refresh succeeds, and the new tokens are revoked", async () => {
    const { key, read, finish } = await arrangeLate();

    await expect(finish()).rejects.toMatchObject({ code: "provider_not_linked" });

    expect((await read(key.linkId)).status).toBe("expired");
    const revocations = await harness.app.db
      .selectFrom("tokenRevocations")
      .select("version")
      .where("linkId", "=", key.linkId)
      .execute();
    expect(revocations).toEqual([{ version: 1 }]);
  });

  it("leaves a replaced link expired, and returns the newer link's token", async () => {
    const { key, open, read, linkByConsent, finish } = await arrangeLate();
    const { linkId: next } = await linkByConsent("ada");

    const access = await finish();

    expect(access).toEqual(await open());
    expect((await read(key.linkId)).status).toBe("expired");
    expect((await read(next)).status).toBe("linked");
  });

  it("leaves a link expired if its project is deleted", async () => {
    const { tenant, id, key, finish } = await arrangeLate();
    await tenant.delete(`/projects/${id}`);

    await expect(finish()).rejects.toMatchObject({ code: "provider_not_linked" });

    const events = await eventsOf(harness.app, key.linkId);
    expect(events.map(({ type }) => type)).toEqual(["link.completed", "link.expired"]);
  });

  it("VendorError: the provider does not respond, and the link remains linked", async () => {
    const { key, open, read } = await arrangeLinked();
    harness.clock.advanceSeconds(HOUR_S);
    supabase.control.failure = "unavailable";

    await expect(open()).rejects.toMatchObject({ name: "VendorError", failure: "unavailable" });
    supabase.control.failure = undefined;

    expect((await read(key.linkId)).status).toBe("linked");
    expect((await open()).accessToken).toMatch(/^token-ada-/);
  });

  it.each([
    ["unauthorized", "invalid_client"],
    ["refused", "invalid_client"],
    ["refused", undefined],
    ["not_found", undefined],
  ] as const)(
    "503: the provider rejects the OAuth client (%s, %s), the link remains linked, and an error is logged",
    async (failure, vendorCode) => {
      const { key, open, read } = await arrangeLinked();
      harness.clock.advanceSeconds(HOUR_S);
      Object.assign(supabase.control, { failure, vendorCode });
      const before = harness.logLines.length;

      await expect(open()).rejects.toMatchObject({ code: "provider_unavailable", status: 503 });
      Object.assign(supabase.control, { failure: undefined, vendorCode: undefined });

      expect((await read(key.linkId)).status).toBe("linked");
      const errors = harness.logLines.slice(before).filter((line) => line.includes('"level":50'));
      expect(errors).toHaveLength(1);
      expect(errors[0]).toContain("provider rejected the OAuth app");
      expect(errors[0]).toContain(key.linkId);
      expect((await open()).accessToken).toMatch(/^token-ada-/);
    },
  );

  it("returns the token of the replacing link only if it belongs to the same account", async () => {
    const { open, linkByConsent } = await arrangeLinked();
    await linkByConsent("ada", { force: true });

    expect(await open()).toMatchObject({ accountId: "org-ada" });
    await linkByConsent("grace", { force: true });
    await expect(open()).rejects.toMatchObject({ code: "provider_not_linked" });
  });

  it("provider_not_linked: the link is revoked, is revoked during a refresh, or belongs to another tenant", async () => {
    const { tenant, id, key, open } = await arrangeLinked();
    const other = await arrangeLinked();
    harness.clock.advanceSeconds(HOUR_S);
    supabase.control.during = async () => {
      supabase.control.during = async () => {};
      await tenant.delete(`/projects/${id}/links/${key.linkId}`);
    };

    const rejection = { code: "provider_not_linked" };
    await expect(open()).rejects.toMatchObject(rejection);
    await expect(open()).rejects.toMatchObject(rejection);
    const crossed = { tenantId: tenant.tenantId, linkId: other.key.linkId };
    await expect(openProviderAccess(harness.app, crossed)).rejects.toMatchObject(rejection);
  });
});

describe("expireLinks", () => {
  const { harness, arrange } = useLinking();

  it("expires overdue pending links once, and leaves linked and pending ones unchanged", async () => {
    const { tenant, begin, read, linkByToken } = await arrange();
    const { linkId } = await linkByToken();
    const old = (await begin("supabase")).link_id;
    harness.clock.advanceSeconds(599);
    const young = await arrange();
    const waiting = await young.begin("neon");
    await expireLinks(harness.app);
    const early = await eventsOf(harness.app, old);
    harness.clock.advanceSeconds(1);

    await expireLinks(harness.app);
    await expireLinks(harness.app);

    expect(early).toEqual([]);
    expect(await eventsOf(harness.app, old)).toMatchObject([{ type: "link.expired", data: { status: "expired" } }]);
    expect((await read(old)).status).toBe("expired");
    expect((await read(linkId)).status).toBe("linked");
    expect(await young.read(waiting.link_id)).toEqual(waiting);
    const states = await harness.app.db.selectFrom("linkStates").select("linkId").execute();
    expect(states.map((state) => state.linkId)).toEqual([waiting.link_id]);
    const secret = await withTransaction(harness.app.db, tenant.tenantId, (tx) =>
      tx.selectFrom("providerLinkSecrets").select("pendingSealed").where("linkId", "=", old).executeTakeFirst(),
    );
    expect(secret).toEqual({ pendingSealed: null });
  });
});
