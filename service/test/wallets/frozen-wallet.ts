import type { TenantId } from "../../src/foundation/ids.ts";
import { SCOPES } from "../../src/foundation/vocabulary.ts";
import { readBalances } from "../../src/ledger/accounts.ts";
import { postAgent } from "../agents/seed-agents.ts";
import type { useHarness } from "../harness.ts";
import { auditOf, eventsOf } from "../project-seeds.ts";
import { seedWallet } from "./seed-wallet.ts";

type Harness = ReturnType<typeof useHarness>;

/** Helpers for tests that freeze and unfreeze wallets. */
export function freezesOf(harness: Harness) {
  /** Creates an agent of a developer, by default of a new one, and its wallet, which holds one USDC by default. */
  async function arrange({
    mode = "test",
    developerId,
    baseUnits = 1_000_000n,
  }: {
    readonly mode?: "live" | "test";
    readonly developerId?: TenantId;
    readonly baseUnits?: bigint;
  } = {}) {
    const tenantId = developerId ?? (await harness.seedDeveloper());
    const tenant = await harness.seedKey(tenantId, { mode, scopes: SCOPES });
    const { agent_id: agentId } = await postAgent(tenant);
    const { walletId } = await seedWallet(harness.app, {
      tenantId,
      agentId,
      mode,
      baseUnits,
    });
    const path = `/wallets/${walletId}`;
    return { tenant, tenantId, agentId: agentId as string, walletId, path, mode };
  }

  type Arranged = Pick<Awaited<ReturnType<typeof arrange>>, "tenantId" | "walletId" | "mode">;

  async function rowOf({ tenantId, walletId }: Pick<Arranged, "tenantId" | "walletId">) {
    return harness.app.db
      .selectFrom("wallets")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .where("walletId", "=", walletId)
      .executeTakeFirstOrThrow();
  }

  /** Returns the `frozen` of the wallet's ledger accounts. Throws if they differ. */
  async function accountsOf({ tenantId, walletId, mode }: Arranged) {
    const key = { tenantId, mode, subjectType: "wallet", subjectIds: [walletId] } as const;
    const balances = await readBalances(harness.app.db, key);
    const [value, ...others] = new Set(balances.map(({ frozen }) => frozen));
    if (value === undefined || others.length > 0) throw new Error("the accounts differ");
    return value;
  }

  /** Returns the wallet's status and who froze it how, with the state of its ledger accounts. */
  async function stateOf(wallet: Arranged) {
    const { status, freezeSource, freezeMode } = await rowOf(wallet);
    return [status, freezeSource, freezeMode, await accountsOf(wallet)] as const;
  }

  async function historyOf({ tenantId, walletId }: Pick<Arranged, "tenantId" | "walletId">) {
    return harness.app.db
      .selectFrom("walletFreezes")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .where("walletId", "=", walletId)
      .orderBy("freezeId")
      .execute();
  }

  /** Returns the number of audit entries, events and rows of the history about freezes of the wallet. */
  async function countsOf(wallet: Pick<Arranged, "tenantId" | "walletId">) {
    const entries = await auditOf(harness.app, wallet.walletId);
    const events = await eventsOf(harness.app, wallet.walletId);
    const history = await historyOf(wallet);
    return [entries.length, events.length, history.length] as const;
  }

  return { arrange, rowOf, accountsOf, stateOf, historyOf, countsOf };
}
