import { describe, expect, it, onTestFinished } from "vitest";
import { HOLDER } from "../../../test/fiat/banks.ts";
import { conversionsOf } from "../../../test/fiat/conversions.ts";
import { useHarness } from "../../../test/harness.ts";
import type { App } from "../../app.ts";
import type { StablecoinRamp } from "../../ports/stablecoin-ramp.ts";

const HOUR_SECONDS = 3_600;

describe("bank accounts that change while vendors are asked", () => {
  const change = {
    beforeKycLink: async (): Promise<void> => {},
    beforeExchange: async (): Promise<void> => {},
  };
  const original = { ...change };
  const screenings = { reads: 0 };
  const wrap = (ramp: StablecoinRamp): StablecoinRamp => ({
    ...ramp,
    createKycLink: async (customer) => {
      await change.beforeKycLink();
      return ramp.createKycLink(customer);
    },
  });
  const harness = useHarness({
    vendors: true,
    replace: ({ ramp, bankLink, identityScreening }: App): Partial<App> => ({
      identityScreening: {
        ...identityScreening,
        test: identityScreening.test && {
          ...identityScreening.test,
          readScreening: async (asked) => {
            screenings.reads += 1;
            return identityScreening.test?.readScreening(asked) as never;
          },
        },
      },
      ramp: { ...ramp, open: (access) => wrap(ramp.open(access)) },
      bankLink: {
        ...bankLink,
        test: bankLink.test && {
          ...bankLink.test,
          exchangePublicToken: async (token) => {
            await change.beforeExchange();
            return bankLink.test?.exchangePublicToken(token) as never;
          },
        },
      },
    }),
    settings: { syncWaitMs: 5_000 },
  });
  const conversions = conversionsOf(harness);
  const { banks } = conversions;
  const restoreLater = () => onTestFinished(() => void Object.assign(change, original));
  type Tenant = Awaited<ReturnType<typeof harness.seedTenant>>;

  /** While the next holder is identified, a login that cannot be used is discarded, which releases the holder. */
  function releaseMeanwhile(tenant: Tenant, then: () => Promise<void> = async () => {}): void {
    restoreLater();
    change.beforeKycLink = async () => {
      change.beforeKycLink = original.beforeKycLink;
      await banks.linkBank(tenant, { user: "other_owner" });
      await banks.advance();
      await then();
    };
  }

  it("an account is never stored under another holder", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const first = await banks.connect(tenant, { ownerName: "Ada Lovelace" });
    let other: { readonly status: number } | undefined;
    releaseMeanwhile(tenant, async () => {
      other = await banks.linkBank(tenant, { ownerName: "Bob Clean" }, { ...HOLDER, legal_name: "Bob Clean" });
    });

    const { status } = await tenant.post("/fiat/verify-account", {
      public_token: first.publicToken,
      account_id: first.accountIds[0],
      account_holder: HOLDER,
    });

    expect(other?.status).toBe(200);
    expect(status).toBe(409);
    expect((await tenant.get("/fiat/accounts")).body.data).toHaveLength(1);
  });

  it("200: an account whose holder was released by a discarded login while the vendors identified them can be used at once", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    releaseMeanwhile(tenant);

    const { status, body } = await banks.linkBank(tenant);

    expect([status, body.account.status, body.kyc.status]).toEqual([200, "verified", "approved"]);
  });

  it("two accounts whose holder was released and stored anew meanwhile are registered for one customer of Bridge", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    releaseMeanwhile(tenant, async () => void (await banks.linkBank(tenant)));
    const before = harness.sandbox.requests("bridge").length;

    expect(await banks.linkBank(tenant)).toMatchObject({ status: 200, body: { kyc: { status: "approved" } } });
    await banks.advance();

    const requests = harness.sandbox.requests("bridge").slice(before);
    const created = requests.filter(({ operation }) => operation === "createExternalAccount");
    expect(created.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(created[2]?.path).toBe(created[0]?.path);
  });

  it("both of two removed accounts are removed at Bridge", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const accounts = [await banks.linkBank(tenant), await banks.linkBank(tenant)];
    await banks.advance();
    const before = harness.sandbox.requests("bridge").filter(({ operation }) => operation === "deleteExternalAccount");

    for (const { body } of accounts) await tenant.delete(`/fiat/accounts/${body.account.account_id}`);
    await banks.advance();

    const after = harness.sandbox.requests("bridge").filter(({ operation }) => operation === "deleteExternalAccount");
    expect(after.length - before.length).toBe(2);
  });

  it("an account is linked while the last other one is removed", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const { body } = await banks.linkBank(tenant);
    await banks.advance();
    restoreLater();
    change.beforeExchange = async () => {
      await tenant.delete(`/fiat/accounts/${body.account.account_id}`);
      await banks.advance();
    };

    const { status } = await banks.linkBank(tenant);

    expect(status).toBe(200);
  });

  it("removing an account and executing its quote at the same time do not lock each other", async () => {
    const outcomes: string[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const seeded = await conversions.seed({ funds: "100" });
      const quotes = await Promise.all(Array.from({ length: 6 }, () => seeded.onRamp("25.00", { execute: false })));
      const answers = await Promise.all([
        ...quotes.map(({ body }) => seeded.tenant.post(`/fiat/conversions/${body.conversion_id}/execute`)),
        seeded.tenant.delete(`/fiat/accounts/${seeded.accountId}`),
      ]);
      outcomes.push(...answers.map(({ status, body }) => `${status} ${body.code ?? body.status}`));
    }
    expect(outcomes.filter((status) => status.startsWith("5"))).toEqual([]);
  });

  it("the daily look reads the screening again, so that a lost report of a hit is noticed", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    await banks.linkBank(tenant);
    await banks.advance();
    const { reads } = screenings;

    harness.clock.advanceSeconds(25 * HOUR_SECONDS);
    await banks.advance();

    expect(screenings.reads).toBeGreaterThan(reads);
  });
});
