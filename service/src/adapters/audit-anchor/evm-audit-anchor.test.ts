import { setTimeout } from "node:timers/promises";
import { auditAnchorAbi } from "@purser/contracts/abi/audit-anchor.ts";
import { encodeAbiParameters, numberToHex, sha256, toBytes } from "viem";
import { privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { checkpoint } from "../../../test/checkpoint.ts";
import { TestClock } from "../../../test/clock.ts";
import { ANCHOR, useEvmAnchor } from "../../../test/networks/evm-anchor.ts";
import type { HexText } from "../../crypto/user-operation.ts";
import type { AuditAnchor } from "../../ports/audit-anchor.ts";

const WAIT = { timeout: 20_000, interval: 20 };

describe("audit anchor in a contract", { timeout: 30_000 }, () => {
  const evm = useEvmAnchor();
  const { network } = evm;
  let key: HexText;
  let clock: TestClock;
  let anchor: AuditAnchor;

  beforeEach(async () => {
    key = await evm.newPublisher();
    clock = new TestClock();
    anchor = evm.open({ key, clock });
  });

  const latest = () => anchor.latest("dev_one", "tenant");
  const transactions = async () =>
    await network.local.publicClient.getTransactionCount({ address: privateKeyToAddress(key) });
  const mined = async (count: number) => await vi.waitFor(async () => expect(await transactions()).toBe(count), WAIT);

  /** Publishes a checkpoint of `dev_one` until its block is final. */
  async function publishFinal(sequence: number): Promise<string> {
    const before = await transactions();
    const published = anchor.publish(checkpoint(sequence));
    await mined(before + 1);
    await network.mine(2);
    return await published;
  }

  it("publishes fifty checkpoints in one transaction, and resolves when its block is final", async () => {
    const others = Array.from({ length: 49 }, (_, index) => anchor.publish(checkpoint(1, `dev_${index}`)));
    const published = anchor.publish(checkpoint(1));
    await mined(1);
    expect(await latest()).toBeUndefined();
    await network.mine(1);
    // The anchor looks at the chain again and again.
    const looks = () => network.nodes[0]?.methods.filter((method) => method === "eth_call").length ?? 0;
    const before = looks();
    await vi.waitFor(() => expect(looks()).toBeGreaterThan(before + 3), WAIT);
    expect(await latest()).toBeUndefined();
    await network.mine(1);

    const references = await Promise.all([...others, published]);

    expect(new Set(references.map((reference) => reference.split("/")[1])).size).toBe(1);
    expect(new Set(references).size).toBe(50);
    expect(references[0]).toMatch(/^eip155:8453\/0x[0-9a-f]{64}\/\d+$/);
    expect(await latest()).toEqual({ checkpoint: checkpoint(1), reference: references[49] });
    expect(await transactions()).toBe(1);
    expect(anchor.delayMs).toBe(6_000);
  });

  it("publishes a checkpoint again that a reorganisation has taken away before it was final", async () => {
    const reference = await publishFinal(1);
    const published = anchor.publish(checkpoint(2));
    await mined(2);
    await network.reorganize(1);
    expect(await latest()).toMatchObject({ reference });
    clock.advanceSeconds(30);
    await mined(2);
    await network.mine(2);

    expect((await published).split("/")[1]).not.toBe(reference.split("/")[1]);
    expect(await latest()).toMatchObject({ checkpoint: checkpoint(2) });
  });

  it("a crash after a transaction was sent: the next process finds its checkpoint and sends nothing", async () => {
    void anchor.publish(checkpoint(1)).catch(() => {});
    await mined(1);
    const published = evm.open({ key }).publish(checkpoint(1));
    await network.mine(2);

    expect(await published).toBe((await latest())?.reference);
    expect(await transactions()).toBe(1);
  });

  it("replaces a transaction that is in no block for a higher fee, also one of a former process", async () => {
    const { testClient } = network.local;
    await testClient.setAutomine(false);
    onTestFinished(() => testClient.setAutomine(true));
    const pool = async () => (await testClient.getTxpoolStatus()).pending;
    void anchor.publish(checkpoint(1)).catch(() => {});
    await vi.waitFor(async () => expect(await pool()).toBe(1), WAIT);
    const onRefused = vi.fn();
    const later = new TestClock();
    const next = evm.open({ key, clock: later, onRefused });
    const published = Promise.all([next.publish(checkpoint(1)), next.publish(checkpoint(1, "dev_two"))]);
    await vi.waitFor(() => expect(onRefused).toHaveBeenCalledWith(expect.stringContaining("underpriced")), WAIT);
    later.advanceSeconds(30);
    await vi.waitFor(async () => {
      const { pending } = await testClient.getTxpoolContent();
      const [sent] = Object.values(pending[privateKeyToAddress(key).toLowerCase() as HexText] ?? {});
      expect(sent?.input).toContain(sha256(toBytes("dev_two tenant")).slice(2));
    }, WAIT);
    await network.mine(3);

    expect(await published).toHaveLength(2);
    expect(await transactions()).toBe(1);
  });

  it("ignores what others publish for the same chain", async () => {
    const reference = await publishFinal(1);
    const stranger = privateKeyToAccount(await evm.newPublisher());
    const list = [{ stream: sha256(toBytes("dev_one tenant")), sequence: 9n, json: JSON.stringify(checkpoint(9)) }];
    const call = { address: ANCHOR as HexText, abi: auditAnchorAbi, functionName: "publish", args: [list] } as const;
    await network.local.walletClient.writeContract({
      ...call,
      account: stranger,
      chain: network.local.publicClient.chain,
    });
    await network.mine(3);

    expect(await latest()).toEqual({ checkpoint: checkpoint(1), reference });
  });

  const json = (text: string) => encodeAbiParameters([{ type: "string" }], [text]);
  it.each([
    ["another contract", () => ({ address: network.usdc })],
    ["another publisher", ({ topics }: Log) => ({ topics: topics.with(1, numberToHex(1, { size: 32 })) })],
    ["another sequence", ({ topics }: Log) => ({ topics: topics.with(3, numberToHex(2, { size: 32 })) })],
    ["the checkpoint of another sequence", () => ({ data: json(JSON.stringify(checkpoint(2))) })],
    ["the checkpoint of another tenant", () => ({ data: json(JSON.stringify(checkpoint(1, "dev_two"))) })],
    ["no checkpoint", () => ({ data: json("{}") })],
  ])("refuses a log with %s", async (_what, change) => {
    await publishFinal(1);
    for (const node of network.nodes) {
      node.interceptResult("eth_getLogs", (logs) => (logs as Log[]).map((log) => ({ ...log, ...change(log) })));
    }

    await expect(latest()).rejects.toThrow();
  });

  it.each([
    ["eth_getLogs", () => []],
    ["eth_call", (result: unknown) => String(result).replace(/.$/, (digit) => (digit === "0" ? "1" : "0"))],
  ])("believes nothing that the nodes do not agree on: %s", async (method, change) => {
    await publishFinal(1);
    network.nodes[1]?.interceptResult(method, change);

    await expect(latest()).rejects.toThrow();
    await expect(anchor.publish(checkpoint(1))).rejects.toThrow();
    expect(await transactions()).toBe(1);
  });

  it("rejects if a node does not answer, or if another checkpoint of the same sequence is published", async () => {
    await publishFinal(1);
    await expect(anchor.publish({ ...checkpoint(1), checkpointHash: "other" })).rejects.toThrow("another checkpoint");
    network.nodes[1]?.intercept(() => ({ status: 500, body: {} }));

    await expect(latest()).rejects.toThrow();
    await expect(anchor.publish(checkpoint(2))).rejects.toThrow();
    expect(await transactions()).toBe(1);
  });

  it("believes no node that is far behind the other: it could hide the newest checkpoint", async () => {
    await publishFinal(1);
    const old = await network.local.publicClient.getBlockNumber({ cacheTime: 0 });
    await publishFinal(2);
    network.nodes[1]?.interceptResult("eth_getBlockByNumber", (block, [tag]) =>
      tag === "latest" ? { ...Object(block), number: numberToHex(old) } : block,
    );
    await expect(latest()).rejects.toThrow("differ");
  });

  it("goes on after a node has not answered once", async () => {
    let calls = 0;
    network.nodes[0]?.intercept(({ method }) => {
      if (method !== "eth_getBlockByNumber") return undefined;
      calls += 1;
      return calls === 1 ? { status: 500, body: {} } : undefined;
    });
    expect(await publishFinal(1)).toMatch(/^eip155:/);
    expect(calls).toBeGreaterThan(1);
  });

  it("burns no coin if a node estimates too little gas", async () => {
    network.nodes[0]?.interceptResult("eth_estimateGas", () => "0x7d00");
    void anchor.publish(checkpoint(1)).catch(() => {});
    await mined(1);
    await setTimeout(5_000);
    expect(await transactions()).toBe(1);
  });

  it("rejects if the contract is not at its address", async () => {
    const misplaced = evm.open({ key, contract: privateKeyToAddress(key) });

    await expect(misplaced.latest("dev_one", "tenant")).rejects.toThrow("is no AuditAnchor");
    await expect(misplaced.publish(checkpoint(1))).rejects.toThrow("is no AuditAnchor");
  });
});

interface Log {
  readonly topics: readonly string[];
}
