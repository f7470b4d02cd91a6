import { vendorIdempotencyKey } from "../../crypto/vendor-idempotency-key.ts";
import type { FiatAccountId } from "../../foundation/ids.ts";
import type { BankDetails } from "../../pii/bank-records.ts";
import type { FiatAccount, FiatCustomer } from "./queries.ts";
import { openRamp } from "./vendor-access.ts";

interface RegisterExternalAccount {
  readonly accountId: FiatAccountId;
  readonly subtype: FiatAccount["subtype"];
  readonly institutionName: string | null;
  readonly details: BankDetails;
}

/**
 * Registers a bank account with the ramp vendor, so that dollars can be paid out to it. Returns its id there, or null if the
 * holder is not yet a customer, or the account's numbers are not known. Can be repeated. Throws `VendorError`.
 */
export async function registerExternalAccount(
  app: Parameters<typeof openRamp>[0],
  customer: FiatCustomer,
  { accountId, subtype, institutionName: bankName, details: { holder, numbers } }: RegisterExternalAccount,
): Promise<string | null> {
  const { rampCustomerId: customerId, rampOwner } = customer;
  if (customerId === null || numbers === null || customer.sanctions === "hit") return null;
  const ramp = await openRamp(app, customer, rampOwner);
  const { externalAccountId } = await ramp.createExternalAccount({
    ...{ customerId, bankName, subtype, ownerName: holder.legalName, address: holder.address },
    ...numbers,
    idempotencyKey: vendorIdempotencyKey(accountId, `external_account/${customerId}`),
  });
  return externalAccountId;
}
