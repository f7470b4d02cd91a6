import type { App } from "../../src/app.ts";
import { withTransaction } from "../../src/db/transaction.ts";
import {
  type ConversionId,
  type FiatAccountId,
  newId,
  type TenantId,
  type WalletId,
} from "../../src/foundation/ids.ts";
import type { Mode } from "../../src/foundation/vocabulary.ts";

/** Inserts a verified bank account with its holder, and a quote of an off-ramp from this wallet. Calls no vendor. */
export async function seedConversion(
  { db, clock }: Pick<App, "db" | "clock">,
  { tenantId, mode, walletId }: { readonly tenantId: TenantId; readonly mode: Mode; readonly walletId: WalletId },
): Promise<{ readonly accountId: FiatAccountId; readonly conversionId: ConversionId }> {
  const [accountId, conversionId] = [newId("ba"), newId("conv")];
  const at = clock.now();
  const row = { tenantId, mode, createdAt: at, updatedAt: at };
  await withTransaction(db, tenantId, async (tx) => {
    await tx
      .insertInto("fiatCustomers")
      .values({
        ...row,
        ...{ customerId: newId("fcu"), holderType: "individual", nameHash: "hash", rampOwner: "operator" },
        ...{ sanctions: "clear", kycStatus: "approved", hasAcceptedTerms: true, rampCustomerId: "customer" },
      })
      .execute();
    await tx
      .insertInto("fiatAccounts")
      .values({
        ...{ ...row, accountId, itemId: "item", vendorAccountId: "account", name: "Checking", mask: "0000" },
        ...{ type: "depository", subtype: "checking", status: "verified", verificationMethod: "instant" },
        ...{ verificationStatus: "automatically_verified", externalAccountId: "external" },
      })
      .execute();
    await tx
      .insertInto("conversions")
      .values({
        ...{ ...row, conversionId, accountId, walletId, direction: "off_ramp", status: "quoted", rank: 0 },
        ...{ network: "base", address: "0x8ba1f109551bD432803012645Ac136ddd64DBA72", asset: "usdc" },
        ...{ paymentRail: "ach", sourceCents: 1_000n, feeCents: 5n, rampOwner: "operator", rampCustomerId: "customer" },
        ...{ quoteId: newId("qt"), quoteExpiresAt: new Date(at.getTime() + 30_000) },
        timeline: JSON.stringify([{ status: "quoted", at: at.toISOString() }]),
      })
      .execute();
  });
  return { accountId, conversionId };
}
