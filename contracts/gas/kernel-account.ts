import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { concat, encodeFunctionData, type Hex, numberToHex, parseAbi, zeroAddress, zeroHash } from "viem";
import { entryPoint08Address } from "viem/account-abstraction";
import { compileSolidity } from "../test-support/compile-solidity.ts";
import type { WalletChain } from "../test-support/wallet-chain.ts";
import { type MeasuredAccount, newOtherAccount } from "./measured-accounts.ts";

export const KERNEL_NAME = "Kernel 3.1, with our minimal ECDSA validator";

/** ModuleKit's build of Kernel is larger than a network allows. */
export const ANVIL_ARGUMENTS_OF_KERNEL = ["--disable-code-size-limit"];

const PACKAGES = path.join(import.meta.dirname, "other-accounts");
const CODES = "node_modules/@rhinestone/modulekit/src/deployment/precompiles/KernelPrecompiles.sol";

const ABI = parseAbi([
  "constructor(address constructorArgument)",
  "function initialize(bytes21 rootValidator, address hook, bytes validatorData, bytes hookData, bytes[] calls)",
  "function execute(bytes32 mode, bytes call)",
]);

/** Returns a Kernel account, or undefined if its package is not installed and cannot be downloaded. */
export async function newKernelAccount(chain: WalletChain): Promise<MeasuredAccount | undefined> {
  const codes = await readKernelCodes();
  if (codes === undefined) return undefined;
  const abi = ABI;
  const compiled = compileSolidity("gas/other-accounts/EcdsaValidator.sol", true);
  const validator = await chain.deploy(compiled("EcdsaValidator"));
  const kernel = await chain.deploy({ abi, bytecode: codes.account }, [entryPoint08Address]);
  const factory = await chain.deploy({ abi, bytecode: codes.factory }, [kernel]);
  const owner = chain.newKey();
  const initialization = encodeFunctionData({
    ...{ abi, functionName: "initialize" },
    // Kernel identifies a validator by a type, here that of ERC-7579, and an address. There is no hook.
    args: [concat(["0x01", validator]), zeroAddress, owner.address, "0x", []],
  });
  return newOtherAccount(chain, {
    name: KERNEL_NAME,
    factory,
    parameters: "bytes initialization, bytes32 salt",
    args: [initialization, zeroHash],
    encodeCall: (target, data) =>
      encodeFunctionData({
        ...{ abi, functionName: "execute" },
        // The mode zero is one call, which reverts if the target does.
        args: [zeroHash, concat([target, numberToHex(0, { size: 32 }), data])],
      }),
    sign: (hash) => owner.signMessage({ message: { raw: hash } }),
  });
}

/** Reads the creation codes from ModuleKit, which contains them as Solidity constants. Installs it if it is missing. */
async function readKernelCodes(): Promise<{ account: Hex; factory: Hex } | undefined> {
  const read = () => readFile(path.join(PACKAGES, CODES), "utf8");
  const text = await read().catch(() => install().then(read, () => undefined));
  if (text === undefined) return undefined;
  const code = (constant: string): Hex => {
    const hex = new RegExp(`${constant} =\\s*hex"([0-9a-f]+)"`).exec(text)?.[1];
    if (hex === undefined) throw new Error(`ModuleKit has no ${constant}.`);
    return `0x${hex}`;
  };
  return { account: code(" KERNEL_BYTECODE"), factory: code(" KERNEL_FACTORY_BYTECODE") };
}

/** Installs the package alone: the lock file replaces its dependencies, of which some come from GitHub, by itself. */
function install() {
  const commandLine = ["ci", "--ignore-scripts", "--fetch-retries=0"];
  return promisify(execFile)("npm", commandLine, { cwd: PACKAGES });
}
