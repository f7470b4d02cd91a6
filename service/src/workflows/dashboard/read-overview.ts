import type { App } from "../../app.ts";
import { withSnapshot } from "../../db/transaction.ts";
import { periodOf } from "../../modules/projects/usage.ts";
import { countPayments, listFrozenWallets, listSpending, type Owner, readWaiting, sumBalances } from "./queries.ts";

const DAY_MS = 86_400_000;
export const PAYMENTS_DAYS = 30;
/** How many payments are counted. */
export const PAYMENTS_MAX = 1_000;
const KEYS_DAYS = 7;
export const PROJECTS_MAX = 100;
/** How many items a list of what needs a person has. One more is read, which shows whether there are more. */
export const LISTED_MAX = 10;

export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** Reads what the first page of a dashboard shows, as it was at one moment. */
export async function readOverview({ db, clock }: Pick<App, "db" | "clock">, owner: Owner) {
  const now = clock.now();
  const period = periodOf(now);
  const listed = LISTED_MAX + 1;
  return withSnapshot(db, owner.tenantId, async (tx) => ({
    now,
    period,
    mode: owner.mode,
    projects: await listSpending(tx, owner, {
      ...{ monthStart: period.start, projectsMax: PROJECTS_MAX + 1 },
      listedMax: listed,
    }),
    balances: await sumBalances(tx, owner),
    payments: await countPayments(tx, owner, {
      since: new Date(now.getTime() - PAYMENTS_DAYS * DAY_MS),
      countedMax: PAYMENTS_MAX,
    }),
    frozenWallets: await listFrozenWallets(tx, owner, listed),
    ...(await readWaiting(tx, owner, {
      ...{ now, limit: listed },
      keysUntil: new Date(now.getTime() + KEYS_DAYS * DAY_MS),
    })),
  }));
}
