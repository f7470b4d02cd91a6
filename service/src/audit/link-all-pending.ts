import type { Db } from "../db/database.ts";
import { linkPending } from "./link-pending.ts";
import { listChainsWithPending } from "./queries.ts";

const CHAINS_MAX = 100;

/** Links what is pending in every chain, a chain's transactions after one another. */
export async function linkAllPending({ db }: { readonly db: Db }): Promise<void> {
  for (const { tenantId, chain } of await listChainsWithPending(db, CHAINS_MAX)) {
    await linkPending(db, { tenantId, chain });
  }
}
