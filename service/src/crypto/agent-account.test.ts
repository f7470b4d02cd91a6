import { agentAccountFactoryAbi } from "@purser/contracts/abi/agent-account-factory.ts";
import { startLocalChain } from "@purser/contracts/chain/local-chain.ts";
import { getAddress, keccak256, numberToHex, zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentAccountOf } from "./agent-account.ts";

const RECOVERY = "0x00000000000000000000000000000000000A11cE";
const CASES = [1, 2, 3, 4].flatMap((key) =>
  ([null, RECOVERY] as const).flatMap((recoveryAddress) => [0n, 7n].map((salt) => ({ key, recoveryAddress, salt }))),
);

describe("agentAccountOf", () => {
  let chain: Awaited<ReturnType<typeof startLocalChain>>;
  beforeAll(async () => {
    chain = await startLocalChain();
  });
  afterAll(() => chain.stop());

  const factoryCall = () => ({ address: chain.addresses.agentAccountFactory, abi: agentAccountFactoryAbi }) as const;

  it.each(CASES)(
    "is the factory's own address: key $key, recovery $recoveryAddress, salt $salt",
    async ({ key, recoveryAddress, salt }) => {
      const owner = ownerOf(key);
      const args = [owner, recoveryAddress ?? zeroAddress, numberToHex(salt, { size: 32 })] as const;
      const call = { ...factoryCall(), functionName: "accountOf", args } as const;

      const account = agentAccountOf("local", { owner, recoveryAddress, salt });

      expect(account.address).toBe(await chain.publicClient.readContract(call));
      expect(account.factory).toBe(chain.addresses.agentAccountFactory);
    },
  );

  it("is where the factory deploys the account", async () => {
    const owner = ownerOf(9);
    const { address } = agentAccountOf("local", { owner, recoveryAddress: RECOVERY, salt: 0n });
    expect(await chain.publicClient.getCode({ address: getAddress(address) })).toBeUndefined();

    const hash = await chain.walletClient.writeContract({
      ...factoryCall(),
      chain: foundry,
      functionName: "createAccount",
      args: [owner, RECOVERY, numberToHex(0, { size: 32 })],
    });
    await chain.publicClient.waitForTransactionReceipt({ hash });

    expect(await chain.publicClient.getCode({ address: getAddress(address) })).toMatch(/^0x363d/);
  });
});

function ownerOf(key: number) {
  return privateKeyToAccount(keccak256(numberToHex(key, { size: 32 }))).address;
}
