import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Abi, Hex } from "viem";
import { CONTRACTS_FOLDER } from "../scripts/forge.ts";

export interface CompiledContract {
  readonly abi: Abi;
  readonly bytecode: Hex;
  /** The code after the creation, without values of immutable variables. */
  readonly runtime: Hex;
}

/** The parts of the compiler's standard JSON that are used. */
interface CompilerOutput {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts?: Readonly<Record<string, Readonly<Record<string, CompilerContract>>>>;
}

interface CompilerContract {
  readonly abi: Abi;
  readonly evm: Readonly<Record<"bytecode" | "deployedBytecode", { readonly object: string }>>;
}

/**
 * Compiles a Solidity file of `contracts/` and returns a function that finds its contracts by name. `viaIr` compiles as
 * for a deployment, which takes three times as long.
 */
export function compileSolidity(file: string, viaIr = false): (name: string) => CompiledContract {
  const input = {
    language: "Solidity",
    sources: { [file]: { content: readFileSync(`${CONTRACTS_FOLDER}/${file}`, "utf8") } },
    settings: {
      remappings: [
        "@openzeppelin/contracts/=../node_modules/@openzeppelin/contracts/",
        "solady/=../node_modules/solady/src/",
      ],
      viaIR: viaIr,
      evmVersion: "cancun",
      optimizer: { enabled: true, runs: 1_000_000 },
      outputSelection: { [file]: { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
    },
  };
  const { stdout } = spawnSync(process.execPath, ["bin/solc.cjs"], {
    cwd: CONTRACTS_FOLDER,
    input: JSON.stringify(input),
    maxBuffer: 64 * 1024 * 1024,
  });
  const { errors = [], contracts = {} }: CompilerOutput = JSON.parse(stdout.toString());
  const compiled = contracts[file];
  if (compiled === undefined) {
    throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));
  }
  return (name) => {
    const contract = compiled[name];
    if (contract === undefined) throw new Error(`${file} has no contract ${name}.`);
    const { bytecode, deployedBytecode } = contract.evm;
    return { abi: contract.abi, bytecode: `0x${bytecode.object}`, runtime: `0x${deployedBytecode.object}` };
  };
}
