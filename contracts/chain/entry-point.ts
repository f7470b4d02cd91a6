import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Hex } from "viem";

/** With this salt, the deterministic deployer creates the EntryPoint 0.8 at its address, which viem has. */
export const ENTRY_POINT_SALT: Hex = "0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9";

/** Returns the creation code of the EntryPoint, for chains that do not have it. */
export async function readEntryPointCode(): Promise<Hex> {
  const file = createRequire(import.meta.url).resolve("@account-abstraction/contracts/artifacts/EntryPoint.json");
  const { bytecode }: { bytecode: Hex } = JSON.parse(await readFile(file, "utf8"));
  return bytecode;
}
