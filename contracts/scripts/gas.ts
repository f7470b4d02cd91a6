import { gasTables, missedGoals } from "../gas/figures.ts";
import { ANVIL_ARGUMENTS_OF_KERNEL } from "../gas/kernel-account.ts";
import { measure } from "../gas/measure.ts";
import { startWalletChain } from "../test-support/wallet-chain.ts";
import { writeSection } from "./readme-section.ts";

/** Measures the gas of transactions, writes it to `contracts/README.md`, and fails if a goal is missed. */
const chain = await startWalletChain({
  viaIr: true,
  anvilArguments: ANVIL_ARGUMENTS_OF_KERNEL,
});
try {
  const { accounts, figures } = await measure(chain);
  const tables = gasTables(accounts, figures);
  await writeSection("gas", tables);
  console.log(tables);
  const missed = missedGoals(figures);
  for (const goal of missed) console.error(`Goal missed: ${goal}`);
  if (missed.length > 0) process.exitCode = 1;
} finally {
  await chain.local.stop();
}
