import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Abi, type AbiParameter, type Hex, size } from "viem";
import type { BytesRange, CreationCode } from "../chain/creation-code.ts";
import { CheckError, CONTRACTS_FOLDER } from "./forge.ts";

export interface Artifact {
  readonly abi: Abi;
  readonly creation: CreationCode;
}

/** The parts of forge's JSON file that are used. */
interface ArtifactFile {
  readonly abi: Abi;
  readonly bytecode: { readonly object: Hex; readonly linkReferences: object };
  readonly deployedBytecode: {
    readonly object: Hex;
    readonly immutableReferences?: Readonly<Record<string, readonly BytesRange[]>>;
  };
}

/** Reads what forge compiled for a contract. `out` is forge's output folder in `contracts/`. */
export async function readArtifact(name: string, out: string): Promise<Artifact> {
  const file = path.join(CONTRACTS_FOLDER, out, `${name}.sol`, `${name}.json`);
  const { abi, bytecode, deployedBytecode }: ArtifactFile = JSON.parse(await readFile(file, "utf8"));
  const runtimeAt = bytecode.object.indexOf(deployedBytecode.object.slice(2));
  if (runtimeAt < 0 || Object.keys(bytecode.linkReferences).length > 0) {
    throw new CheckError(`The bytecode of ${name} is incomplete. Make the functions of its libraries internal.`);
  }
  const creation = {
    code: bytecode.object,
    constructorInputs: constructorInputs(abi),
    // Two digits of hexadecimal text are one byte, after the prefix `0x`.
    runtime: { start: (runtimeAt - 2) / 2, length: size(deployedBytecode.object) },
    immutables: Object.values(deployedBytecode.immutableReferences ?? {})
      .flat()
      .sort((left, right) => left.start - right.start),
  };
  return { abi, creation };
}

function constructorInputs(abi: Abi): readonly AbiParameter[] {
  return abi.find((item) => item.type === "constructor")?.inputs ?? [];
}
