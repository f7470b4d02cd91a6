import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { ADDRESSES } from "@purser/contracts/abi/addresses.ts";
import { agentGuardianAbi } from "@purser/contracts/abi/agent-guardian.ts";
import { createJsonRpcNetwork } from "@purser/service/adapters/evm-network/json-rpc-network.ts";
import type { App } from "@purser/service/app.ts";
import { systemActor } from "@purser/service/audit/actors.ts";
import { withTransaction } from "@purser/service/db/transaction.ts";
import { systemClock } from "@purser/service/foundation/clock.ts";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import { freezeWalletOnChain } from "@purser/service/workflows/freeze-wallet/freeze-on-chain.ts";
import { pino } from "pino";
import { type Chain, createPublicClient, createWalletClient, type Hex, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { randomAddress, type SeededWallet, seedWallet } from "../../../service/test/wallets/seed-wallet.ts";
import type { Pair } from "../compare.ts";

const NETWORK = "base";
/** Each is frozen once. */
const WALLETS = 2_000;
/** The freezer of the deployment `local`. */
const FREEZER_KEY = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";
const POLL_MS = 5;
const FREEZE = {
  mode: "full",
  source: "developer",
  reason: "anomaly",
  ...{ note: null, reference: null, expiresAt: null },
} as const;

interface FreezePairOptions {
  readonly tenantId: TenantId;
  readonly rpcUrl: string;
  /** A chain of its own for the baseline, which uses the same key. */
  readonly otherRpcUrl: string;
  readonly chain: Chain;
}

/** Compares a freeze on the chain, which deploys the account, with the transaction alone. */
export async function startFreezePair(
  db: App["db"],
  { tenantId, rpcUrl, otherRpcUrl, chain }: FreezePairOptions,
): Promise<Pair> {
  const { agentAccountFactory: factory, agentGuardian } = ADDRESSES.local;
  const wallets: SeededWallet[] = [];
  for (let number = 0; number < WALLETS; number += 1) {
    const owner = { tenantId, agentId: randomUUID(), mode: "live", network: NETWORK } as const;
    wallets.push(await seedWallet({ db, clock: systemClock }, owner));
  }
  await withTransaction(db, tenantId, (tx) =>
    tx.updateTable("wallets").set({ factory }).where("tenantId", "=", tenantId).execute(),
  );
  const node = {
    network: NETWORK,
    urls: [rpcUrl],
    timeoutMs: 5_000,
    clock: systemClock,
    onWrongChain: () => {},
  } as const;
  const app = {
    ...{ db, clock: systemClock, log: pino({ level: "silent" }) },
    evmNetworks: new Map([[NETWORK, createJsonRpcNetwork(node)]]),
    operatorKeys: { freezer: FREEZER_KEY, unfreezer: null, paymasterSigner: null },
    settings: { syncWaitMs: 5_000, contractsDeployment: "local", confirmations: 1 },
  } as unknown as App;
  const actor = systemActor({ tenantId, mode: "live" });
  const freezeNext = async () => {
    const wallet = wallets.pop();
    if (wallet === undefined) throw new Error(`Each of ${WALLETS} wallets is frozen once.`);
    const key = { tenantId, mode: "live", agentIds: null, walletId: wallet.walletId } as const;
    await freezeWalletOnChain(app, { key, actorOf: () => actor, freeze: FREEZE, scope: "wallet" }, async () => {});
  };
  const transport = http(otherRpcUrl);
  const client = createPublicClient({ chain, transport });
  const freezer = createWalletClient({ account: privateKeyToAccount(FREEZER_KEY), chain, transport });
  const freezeAlone = async () => {
    const salt = `0x${"0".repeat(64)}` as const;
    const args = [factory, randomAddress() as Hex, randomAddress() as Hex, salt, 1] as const;
    const hash = await freezer.writeContract({
      ...{ address: agentGuardian, abi: agentGuardianAbi, functionName: "deployAndFreeze", args },
    });
    // viem's own wait asks again only after a further block, which this chain does not make.
    while ((await client.getTransactionReceipt({ hash }).catch(() => undefined)) === undefined) await wait(POLL_MS);
  };
  return {
    title: "freeze on the chain ÷ the transaction alone",
    goal: 0.33,
    candidate: { name: "Purser", callers: 1, call: freezeNext },
    baseline: { name: "viem", callers: 1, call: freezeAlone },
  };
}
