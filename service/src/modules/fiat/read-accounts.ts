import type { Db } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import type { FiatAccountId } from "../../foundation/ids.ts";
import { type FiatScope, findAccount, type HeldAccount } from "./queries.ts";

/** Returns a linked account. Throws `fiat_account_not_found`. */
export async function requireAccount(db: Db, scope: FiatScope, accountId: FiatAccountId): Promise<HeldAccount> {
  const found = await findAccount(db, scope, accountId);
  if (found === undefined) throw new AppError("fiat_account_not_found");
  return found;
}
