import { type Address, parseEther, type TransactionReceipt, zeroAddress, zeroHash } from "viem";
import type { TestWallet, WalletChain } from "../test-support/wallet-chain.ts";
import type { AccountFigures, Figure, MissingAccount } from "./figures.ts";
import { KERNEL_NAME, newKernelAccount } from "./kernel-account.ts";
import { type MeasuredAccount, newAgentAccount } from "./measured-accounts.ts";
import { newSimpleAccount, newSoladyAccount } from "./other-accounts.ts";

/** It owns the token, so that a transfer creates no balance. */
const RECIPIENT: Address = "0x5a1d7c93be2f4a6885d3cf0e9b7a1436c28f5e91";
const AMOUNT = 1_000_000n;

/** What a freezer chooses at random. Without zeros, so that it costs as much as most. */
const SALT = 0x5a17f00dbeef;

/** Measured once in this way: no npm package has the code of the account. */
const LIGHT_ACCOUNT: AccountFigures = {
  account: "LightAccount 2.0 (measured once, see below)",
  createAndTransfer: 244_086n,
  selfPaidTransfer: "not measured",
  sponsoredTransfer: 103_755n,
};

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
    { name: "Create and transfer", gas: agentFigures.createAndTransfer, goal: 256_000n },
    { name: "Transfer, default limit", gas: agentFigures.sponsoredTransfer, goal: 119_000n },
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
      LIGHT_ACCOUNT,
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
  let selfPaidTransfer: bigint | string = "refused";
  if (account.paysForItself) {
    await chain.deposit(account.address, parseEther("1"));
    selfPaidTransfer = await transfer(false);
  }
  return { account: account.name, createAndTransfer, selfPaidTransfer, sponsoredTransfer };
}

async function measureGuardian(chain: WalletChain): Promise<Figure[]> {
  const wallet = await chain.createWallet();
  const wallets: TestWallet[] = [];
  for (let index = 0; index < 110; index += 1) wallets.push(await chain.createWallet());
  const addresses = wallets.map(({ address }) => address);
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
    freezer.writeContractSync({ ...guardian, functionName: "freeze", args: [wallet.address, SALT] }),
  );
  const frozenId = await chain.epochIdOf(wallet);
  const unfreeze = await gasOf(
    unfreezer.writeContractSync({ ...guardian, functionName: "unfreeze", args: [wallet.address, frozenId, SALT] }),
  );
  const freezeAll = (batch: readonly Address[]) =>
    gasOf(freezer.writeContractSync({ ...guardian, functionName: "freezeBatch", args: [batch, SALT] }));
  const freezeOfTen = await freezeAll(addresses.slice(0, 10));
  const freezeOfAHundred = await freezeAll(addresses.slice(10));
  const deployAndFreeze = await gasOf(
    freezer.writeContractSync({
      ...guardian,
      functionName: "deployAndFreeze",
      args: [fresh.factory, fresh.signer.address, zeroAddress, zeroHash, SALT],
    }),
  );
  return [
    { name: "Freeze", gas: freeze, goal: 41_000n },
    { name: "Freeze of ten accounts", gas: freezeOfTen, goal: 157_000n },
    { name: "Freeze of a hundred accounts", gas: freezeOfAHundred, goal: 1_350_000n },
    { name: "Deploy and freeze", gas: deployAndFreeze, goal: 132_000n },
    { name: "Unfreeze", gas: unfreeze },
  ];
}

function setLimit(chain: WalletChain, { address }: MeasuredAccount): Promise<TransactionReceipt> {
  const args = [address, chain.token, 1_000_000_000n] as const;
  return chain.as("policyManager").writeContractSync({ ...chain.guardian, functionName: "setLimit", args });
}
