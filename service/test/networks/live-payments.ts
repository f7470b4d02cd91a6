import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { agentAccountAbi } from "@purser/contracts/abi/agent-account.ts";
import * as UserOperation from "ox/erc4337/UserOperation";
import * as Secp256k1 from "ox/Secp256k1";
import * as Signature from "ox/Signature";
import { encodeFunctionData } from "viem";
import { entryPoint08Abi, entryPoint08Address } from "viem/account-abstraction";
import type { App } from "../../src/app.ts";
import {
  nonceKeyOf,
  operationDigest,
  sponsorshipDigest,
  withOwnerSignature,
  withSponsorship,
} from "../../src/crypto/user-operation.ts";
import { networkFactsOf } from "../../src/foundation/blockchain-networks.ts";
import type { WalletId } from "../../src/foundation/ids.ts";
import { requireEvmNetwork, useNetwork } from "../../src/modules/networks/networks.ts";
import { readAccountState, readNonce } from "../../src/modules/user-operations/account-state.ts";
import { buildOperation } from "../../src/modules/user-operations/build-operation.ts";
import { isSigned, listOpenOperations } from "../../src/modules/user-operations/queries.ts";
import { walletRows } from "../../src/modules/wallets/queries.ts";
import { signWithWalletKey } from "../../src/modules/wallets/signer/wallet-keys.ts";
import type { Bundler } from "../../src/ports/bundler.ts";
import type { StablecoinRamp, Transfer } from "../../src/ports/stablecoin-ramp.ts";
import { watchNetwork } from "../../src/workflows/networks/watch-network.ts";
import { sendOperationsOf } from "../../src/workflows/user-operations/send-operations.ts";
import { type ApiResponse, useHarness } from "../harness.ts";
import { createWallet } from "../wallets/create-wallet.ts";
import { randomAddress } from "../wallets/seed-wallet.ts";
import { OPERATOR_KEYS, useLocalNetwork } from "./local-network.ts";

const ALLOW_ALL: readonly object[] = [{ id: "all", effect: "allow", operation: "*" }];

const sign = (payload: `0x${string}`, privateKey: `0x${string}`) =>
  Signature.toHex(Secp256k1.sign({ payload, privateKey }));

/** Saves a developer's own keys for Turnkey. */
export async function saveSignerKeys(tenant: Pick<LiveTenant, "put">, credentials: object): Promise<void> {
  const { status, body } = await tenant.put("/developers/provider-keys/turnkey", { credentials });
  if (status !== 200) throw new Error(`The keys were not saved: ${JSON.stringify(body)}`);
}

type LiveTenant = Awaited<ReturnType<ReturnType<typeof useHarness>["seedTenant"]>>;
type WalletOf = Parameters<typeof sendOperationsOf>[1];

function changedRamp(ramp: StablecoinRamp, change: (transfer: Transfer) => Transfer): StablecoinRamp {
  return {
    ...ramp,
    createTransfer: async (transfer) => change(await ramp.createTransfer(transfer)),
    readTransfer: async (id) => change(await ramp.readTransfer(id)),
    listTransfers: async (search) => (await ramp.listTransfers(search)).map(change),
  };
}

/** Runs the server with a chain of the network `base`, and the simulated bundler in front of it. */
export function useLivePayments({ confirmations = 1 } = {}) {
  const base = useLocalNetwork("base");
  let change: (bundler: Bundler) => Partial<Bundler> = () => ({});
  let changeTransfer: (transfer: Transfer) => Transfer = (transfer) => transfer;
  const harness = useHarness({
    vendors: true,
    rpcUrlOf: base.rpcUrlOf,
    environment: {
      get PURSER_RPC_URLS() {
        return base.environment.PURSER_RPC_URLS;
      },
      PURSER_RPC_TIMEOUT_MS: "2000",
      PURSER_CONFIRMATIONS: String(confirmations),
      PURSER_SYNC_WAIT_MS: "2500",
      ...OPERATOR_KEYS,
    },
    replace: ({ bundlers, ramp }) => ({
      ramp: { ...ramp, open: (access) => changedRamp(ramp.open(access), (transfer) => changeTransfer(transfer)) },
      bundlers: {
        ...bundlers,
        open: (access) => {
          const bundler = bundlers.open(access);
          return { ...bundler, ...change(bundler) };
        },
      },
    }),
  });

  /**
   * Creates an agent with a wallet that has a deposit of 100 USDC, which is credited. `signerKeys` are the developer's own keys for
   * Turnkey.
   */
  async function seedPayer({
    amountMicros = 100_000_000n,
    rules = ALLOW_ALL,
    signerKeys,
  }: {
    amountMicros?: bigint;
    rules?: readonly object[];
    signerKeys?: object;
  } = {}) {
    const tenant = await harness.seedTenant({ mode: "live" });
    if (signerKeys !== undefined) await saveSignerKeys(tenant, signerKeys);
    const { policy_id } = (await tenant.post("/policies", { name: randomUUID(), rules })).body;
    const agent = await tenant.post("/agents", { name: "payer", policy_id });
    const agentId: string = agent.body.agent_id;
    const wallet = await createWallet(tenant, { agent_id: agentId });
    const walletId: WalletId = wallet.wallet_id;
    await base.mint(wallet.address, amountMicros);
    await base.mine(confirmations);
    await watch(harness.app);
    const post = (path: string, body: object = {}): Promise<ApiResponse> =>
      tenant.post(path, body, { headers: { "x-agent-id": agentId, "idempotency-key": randomUUID() } });
    const payer = {
      ...{ tenant, agentId, walletId, tenantId: tenant.tenantId, post },
      pay: (body: object = {}) =>
        post("/payments/send", { agent_id: agentId, amount: "5.00", to: randomAddress(), ...body }),
      read: (paymentId: string) => tenant.get(`/payments/${paymentId}`),
      /** How many payments of the wallet have each status. */
      statuses: async () => {
        const rows = await harness.app.db
          .selectFrom("payments")
          .select("status")
          .where("walletId", "=", walletId)
          .execute();
        const groups = Map.groupBy(rows, ({ status }) => status);
        return Object.fromEntries([...groups].map(([status, payments]) => [status, payments.length]));
      },
      operations: () =>
        harness.app.db
          .selectFrom("userOperations")
          .selectAll()
          .where("walletId", "=", walletId)
          .orderBy("operationId")
          .execute(),
      balance: async () => {
        const { posted: total, held } = await harness.app.db
          .selectFrom("ledgerAccounts")
          .select(["posted", "held"])
          .where("tenantId", "=", tenant.tenantId)
          .where("subjectId", "=", walletId)
          .where("kind", "=", "wallet")
          .where("asset", "=", "usdc")
          .executeTakeFirstOrThrow();
        return { total, held };
      },
    };
    return { payer, wallet };
  }

  async function watch(app: App): Promise<void> {
    for (let look = 0; look < 4; look += 1) await watchNetwork(app, "base");
  }

  /** Makes the wallet's account execute another operation, signed with the wallet's own key. */
  async function execute(key: WalletOf, lane: number, callData: `0x${string}`): Promise<void> {
    const { app } = harness;
    const wallet = await walletRows.get(app.db, key);
    const account = await readAccountState(app, requireEvmNetwork(app, "base"), wallet);
    const nonce = await readNonce(requireEvmNetwork(app, "base"), wallet.address, nonceKeyOf(account.epochId, lane));
    const gasPrice = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n };
    const plan = { wallet, account, nonce, gasPrice, validUntil: 4_102_444_800, transfer: null };
    const built = { ...buildOperation(app, plan), callData };
    const terms = { chainId: networkFactsOf("base").evmChainId ?? 0, validUntil: plan.validUntil };
    const payload = sponsorshipDigest(built, { ...terms, paymaster: built.paymaster ?? "" });
    const sponsored = withSponsorship(built, plan.validUntil, sign(payload, OPERATOR_KEYS.PURSER_PAYMASTER_SIGNER_KEY));
    const digest = operationDigest(sponsored, { ...terms, epochId: account.epochId });
    const signature = await signWithWalletKey(app, wallet, digest, app.clock.now());
    const operation = withOwnerSignature(sponsored, plan.validUntil, signature);
    const bundler = base.local.walletClient;
    const args = [[UserOperation.toPacked(operation) as never], bundler.account.address] as const;
    const hash = await bundler.writeContract({
      ...{ address: entryPoint08Address, abi: entryPoint08Abi, functionName: "handleOps", args, chain: null },
    });
    const { status } = await base.local.publicClient.waitForTransactionReceipt({ hash });
    if (status !== "success") throw new Error("The operation was not executed.");
  }

  return {
    harness,
    base,
    seedPayer,
    /** Call it before each test. */
    prepare: async () => {
      change = () => ({});
      changeTransfer = (transfer) => transfer;
      await useNetwork(harness.app, "base");
      await watch(harness.app);
      harness.logLines.length = 0;
    },
    /** Replaces what the bundler does until the next test. */
    changeBundler: (next: typeof change) => {
      change = next;
    },
    /** Changes what Bridge answers about transfers until the next test. */
    changeTransfer: (next: typeof changeTransfer) => {
      changeTransfer = next;
    },
    /** Uses the next nonce of a lane. */
    useNonce: (key: WalletOf, lane: number) => execute(key, lane, "0x"),
    /** Gives the account another signer. */
    changeSigner: async (key: WalletOf) => {
      const { epochId } = await readAccountState(
        harness.app,
        requireEvmNetwork(harness.app, "base"),
        await walletRows.get(harness.app.db, key),
      );
      const args = [epochId, randomAddress() as `0x${string}`] as const;
      await execute(key, 7, encodeFunctionData({ abi: agentAccountAbi, functionName: "changeSigner", args }));
    },
    /** Sends what waits for the wallet. */
    send: (payer: WalletOf) => sendOperationsOf(harness.app, payer),
    watch: () => watch(harness.app),
    /** Sends what waits for the wallet, and looks at the network until nothing of it is under way, for ten seconds at most. */
    run: async (key: WalletOf) => {
      await sendOperationsOf(harness.app, key);
      for (let look = 0; look < 200; look += 1) {
        await watch(harness.app);
        if (!(await listOpenOperations(harness.app.db, key)).some(isSigned)) return;
        await setTimeout(50);
      }
    },
  };
}
