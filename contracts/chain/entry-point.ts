import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Address, Hex } from "viem";

/** The EntryPoint 0.8 of ERC-4337. Its address is the same on every chain. */
export const ENTRY_POINT_ADDRESS: Address = "0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108";

/** With this salt, the deterministic deployer puts the EntryPoint at its address. */
export const ENTRY_POINT_SALT: Hex =
  "0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9";

/** Returns the creation code of the EntryPoint, for chains that do not have it. */
export async function readEntryPointCode(): Promise<Hex> {
  const file = createRequire(import.meta.url).resolve(
    "@account-abstraction/contracts/artifacts/EntryPoint.json",
  );
  const { bytecode }: { bytecode: Hex } = JSON.parse(await readFile(file, "utf8"));
  return bytecode;
}
