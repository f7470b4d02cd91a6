import { afterAll, beforeAll, expect, test } from "vitest";
import { readSection } from "../scripts/readme-section.ts";
import { startWalletChain, type WalletChain } from "../test-support/wallet-chain.ts";
import { type Row, traceAll, traceTable } from "./report.ts";

let chain: WalletChain;
let rows: readonly Row[];

beforeAll(async () => {
  chain = await startWalletChain();
  rows = await traceAll(chain);
});

afterAll(async () => await chain.local.stop());

test("a bundler accepts each kind of operation: wallet, factory and paymaster break no rule", () => {
  expect(rows.map(({ operation, entity, violations }) => [operation, entity, violations])).toEqual([
    ["transfer", "account", []],
    ["transfer", "paymaster", []],
    ["deployment and transfer", "factory", []],
    ["deployment and transfer", "account", []],
    ["deployment and transfer", "paymaster", []],
    ["transfer of a session key", "account", []],
    ["transfer of a session key", "paymaster", []],
  ]);
});

test("README.md shows what validation does now (npm run contracts:trace writes it)", async () => {
  expect(await readSection("trace")).toBe(traceTable(rows));
});
