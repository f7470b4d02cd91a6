import { agentGuardianAbi } from "@purser/contracts/abi/agent-guardian.ts";
import * as AbiFunction from "ox/AbiFunction";
import * as Address from "ox/Address";
import * as Hex from "ox/Hex";
import * as Secp256k1 from "ox/Secp256k1";
import * as TxEnvelopeEip1559 from "ox/TxEnvelopeEip1559";
import type { GasPrice } from "../ports/evm-network.ts";
import type { HexText } from "./user-operation.ts";

const FREEZE = AbiFunction.fromAbi(agentGuardianAbi, "freeze");
const DEPLOY_AND_FREEZE = AbiFunction.fromAbi(agentGuardianAbi, "deployAndFreeze");
const UNFREEZE = AbiFunction.fromAbi(agentGuardianAbi, "unfreeze");
const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000";

/** An account, as its factory deploys it. */
interface Account {
  readonly address: string;
  readonly factory: string;
  readonly owner: string;
  readonly recoveryAddress: string | null;
}

/** Returns the call of `AgentGuardian` that freezes an account. The salt has 48 bits. */
export function encodeFreeze({ address }: Pick<Account, "address">, salt: bigint): HexText {
  return AbiFunction.encodeData(FREEZE, [address as HexText, Number(salt)]);
}

/** Returns the call that freezes an account and deploys it before, if it is not deployed. */
export function encodeDeployAndFreeze({ factory, owner, recoveryAddress }: Account, salt: bigint): HexText {
  const [signer, recovery] = [owner as HexText, (recoveryAddress ?? ZERO_ADDRESS) as HexText];
  const accountSalt = Hex.fromNumber(0, { size: 32 });
  return AbiFunction.encodeData(DEPLOY_AND_FREEZE, [factory as HexText, signer, recovery, accountSalt, Number(salt)]);
}

/** Returns the call that unfreezes an account. It reverts if the account's epoch has another id than `frozenId`. */
export function encodeUnfreeze({ address }: Pick<Account, "address">, frozenId: bigint, salt: bigint): HexText {
  return AbiFunction.encodeData(UNFREEZE, [address as HexText, frozenId, Number(salt)]);
}

/** Returns the id of the epoch that a call of `encodeUnfreeze` ends. */
export function decodeUnfreeze(data: HexText): bigint {
  const [, frozenId] = AbiFunction.decodeData(UNFREEZE, data);
  return frozenId;
}

/** A transaction of EIP-1559. */
interface Transaction {
  readonly chainId: number;
  readonly nonce: bigint;
  readonly to: string;
  readonly data: HexText;
  readonly gasLimit: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

interface SignedTransaction {
  /** The bytes that a node takes. */
  readonly signed: HexText;
  readonly hash: HexText;
}

export function signTransaction({ gasLimit, to, ...transaction }: Transaction, privateKey: HexText): SignedTransaction {
  const envelope = TxEnvelopeEip1559.from({ ...transaction, to: to as HexText, gas: gasLimit });
  const signature = Secp256k1.sign({ payload: TxEnvelopeEip1559.getSignPayload(envelope), privateKey });
  const signed = TxEnvelopeEip1559.from(envelope, { signature });
  return { signed: TxEnvelopeEip1559.serialize(signed), hash: TxEnvelopeEip1559.hash(signed) };
}

/**
 * Returns the price of a transaction that replaces another one: a quarter more, or the present one if that is higher, but not more
 * than `limit`. Nodes replace a transaction only if both fees are at least a tenth higher. Otherwise the fees stay as they are.
 */
export function higherPrice(before: GasPrice, present: GasPrice, limit: bigint): GasPrice {
  const raised = (fee: bigint, now: bigint) => {
    const more = (fee * 5n) / 4n + 1n;
    const wanted = more > now ? more : now;
    return wanted < limit ? wanted : limit;
  };
  const maxFeePerGas = raised(before.maxFeePerGas, present.maxFeePerGas);
  const maxPriorityFeePerGas = raised(before.maxPriorityFeePerGas, present.maxPriorityFeePerGas);
  if (10n * maxFeePerGas < 11n * before.maxFeePerGas) return before;
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/** Reads a transaction from the bytes that were signed. */
export function decodeTransaction(signed: string): Transaction {
  const envelope = TxEnvelopeEip1559.deserialize(signed as TxEnvelopeEip1559.Serialized);
  const { chainId, nonce = 0n, to = "0x", data = "0x", gas = 0n } = envelope;
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = envelope;
  return { chainId, nonce, to: to ?? "0x", data, gasLimit: gas, maxFeePerGas, maxPriorityFeePerGas };
}

/** Returns the address of a private key, with the checksum of EIP-55. Undefined if the text is no private key. */
export function addressOfKey(privateKey: string): HexText | undefined {
  if (!/^0x[0-9a-fA-F]{64}$/.test(privateKey)) return undefined;
  try {
    return Address.fromPublicKey(Secp256k1.getPublicKey({ privateKey: privateKey as HexText }), { checksum: true });
  } catch {
    return undefined;
  }
}
