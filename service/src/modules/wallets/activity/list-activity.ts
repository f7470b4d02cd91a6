import type { Db } from "../../../db/database.ts";
import type { WalletKey } from "../queries.ts";
import { getWallet } from "../require-wallet.ts";
import { type Activity, type ActivityPosition, listActivities } from "./queries.ts";

export type { Activity } from "./queries.ts";

/** Returns one page of what happened to the wallet, newest first. Throws `wallet_not_found`. */
export async function listActivity(
  db: Db,
  {
    key,
    after,
    limit,
    at,
  }: {
    readonly key: WalletKey;
    /** The last item of the previous page. Undefined for the first page. */
    readonly after: ActivityPosition | undefined;
    readonly limit: number;
    /** Selects which payments have expired. */
    readonly at: Date;
  },
): Promise<{ readonly items: readonly Activity[]; readonly hasMore: boolean }> {
  await getWallet(db, key);
  const rows = await listActivities(db, key, { after, limit: limit + 1, at });
  return { items: rows.slice(0, limit), hasMore: rows.length > limit };
}
