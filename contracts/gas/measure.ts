import { type Address, parseEther, type TransactionReceipt, zeroAddress, zeroHash } from "viem";
import type { TestWallet, WalletChain } from "../test-support/wallet-chain.ts";
import type { AccountFigures, Figure, MissingAccount } from "./figures.ts";
import { KERNEL_NAME, newKernelAccount } from "./kernel-account.ts";
import { type MeasuredAccount, newAgentAccount } from "./measured-accounts.ts";
import { newSimpleAccount, newSoladyAccount } from "./other-accounts.ts";

/** It owns the token, so that a transfer creates no balance. */
const RECIPIENT: Address = "0x5a1d7c93be2f4a6885d3cf0e9b7a1436c28f5e91";
const AMOUNT = 1_000_000n;

/** Measures each kind of account, and what else the guardian does with an AgentAccount. */
export async function measure(chain: WalletChain): Promise<{
  readonly accounts: readonly (AccountFigures | MissingAccount)[];
  readonly figures: readonly Figure[];
}> {
  await chain.mint(RECIPIENT, 1n);
  const agent = await newAgentAccount(chain);
  const limited = await newAgentAccount(chain);
  const agentFigures = await measureAccount(chain, agent);
  const limitedFigures = await measureAccount(chain, limited, () => setLimit(chain, limited));
  const figures = [
    { name: "Create and transfer", gas: agentFigures.createAndTransfer, goal: 262_000n },
    { name: "Transfer, default limit", gas: agentFigures.sponsoredTransfer, goal: 119_500n },
    { name: "Transfer, own limit", gas: limitedFigures.sponsoredTransfer, goal: 113_500n },
    ...(await measureGuardian(chain)),
  ];
  const simple = await newSimpleAccount(chain);
  const solady = await newSoladyAccount(chain);
  const kernel = await newKernelAccount(chain);
  return {
    accounts: [
      { ...agentFigures, account: "AgentAccount, default limit" },
      { ...limitedFigures, account: "AgentAccount, own limit" },
      await measureAccount(chain, simple),
      await measureAccount(chain, solady),
      kernel === undefined
        ? { account: KERNEL_NAME, missing: "not measured: run with network once" }
        : await measureAccount(chain, kernel),
    ],
    figures,
  };
}

async function measureAccount(
  chain: WalletChain,
  account: MeasuredAccount,
  prepare: () => Promise<unknown> = async () => {},
): Promise<AccountFigures> {
  const transfer = async (isSponsored: boolean) => {
    const bundle = await chain.handleOps(await account.transfer(RECIPIENT, AMOUNT, isSponsored));
    if (bundle.status !== "success") throw new Error(`${account.name} did not transfer.`);
    return bundle.gasUsed;
  };
  const createAndTransfer = await transfer(true);
  await prepare();
  // The second transfer writes slots that the first has set.
  await transfer(true);
  const sponsoredTransfer = await transfer(true);
  let selfPaidTransfer: bigint | undefined;
  if (account.paysForItself) {
    await chain.deposit(account.address, parseEther("1"));
    selfPaidTransfer = await transfer(false);
  }
  return { account: account.name, createAndTransfer, selfPaidTransfer, sponsoredTransfer };
}

async function measureGuardian(chain: WalletChain): Promise<Figure[]> {
  const wallet = await chain.createWallet();
  const ten: TestWallet[] = [];
  for (let index = 0; index < 10; index += 1) ten.push(await chain.createWallet());
  const fresh = await chain.newWallet();
  const { guardian } = chain;
  const freezer = chain.as("freezer");
  const unfreezer = chain.as("unfreezer");
  const gasOf = async (transaction: Promise<TransactionReceipt>) => {
    const { gasUsed, status, transactionHash } = await transaction;
    if (status !== "success") throw new Error(`The transaction ${transactionHash} failed.`);
    return gasUsed;
  };
  const freeze = await gasOf(
    freezer.writeContractSync({ ...guardian, functionName: "freeze", args: [wallet.address] }),
  );
  const unfreeze = await gasOf(
    unfreezer.writeContractSync({ ...guardian, functionName: "unfreeze", args: [wallet.address] }),
  );
  const addresses = ten.map(({ address }) => address);
  const freezeOfTen = await gasOf(
    freezer.writeContractSync({ ...guardian, functionName: "freezeBatch", args: [addresses] }),
  );
  const deployAndFreeze = await gasOf(
    freezer.writeContractSync({
      ...guardian,
      functionName: "deployAndFreeze",
      args: [fresh.factory, fresh.signer.address, zeroAddress, zeroHash],
    }),
  );
  return [
    { name: "Freeze", gas: freeze, goal: 40_500n },
    { name: "Freeze of ten accounts", gas: freezeOfTen, goal: 155_000n },
    { name: "Deploy and freeze", gas: deployAndFreeze, goal: 130_000n },
    { name: "Unfreeze", gas: unfreeze },
  ];
}

function setLimit(chain: WalletChain, { address }: MeasuredAccount): Promise<TransactionReceipt> {
  const args = [address, chain.token, 1_000_000_000n] as const;
  return chain.as("policyManager").writeContractSync({ ...chain.guardian, functionName: "setLimit", args });
}
