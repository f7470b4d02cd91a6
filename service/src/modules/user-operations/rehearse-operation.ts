import { agentAccountAbi } from "@purser/contracts/abi/agent-account.ts";
import * as AbiError from "ox/AbiError";
import * as AbiFunction from "ox/AbiFunction";
import * as UserOperation from "ox/erc4337/UserOperation";
import { ENTRY_POINT } from "../../crypto/agent-account.ts";
import { type HexText, isSuccess, USER_OPERATION_EVENT } from "../../crypto/user-operation.ts";
import type { PaymentFailure } from "../../db/schema.ts";
import type { EvmNetwork, SimulatedCall } from "../../ports/evm-network.ts";
import type { SignedBytes } from "./build-operation.ts";

const HANDLE_OPS = AbiFunction.from(
  "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
);
const LIMIT_EXCEEDED = AbiError.getSelector(AbiError.fromAbi(agentAccountAbi, "LimitExceeded")).slice(2);
const FAILED_OP = AbiError.from("error FailedOp(uint256 opIndex, string reason)");

const LIMIT_FAILURE: PaymentFailure = {
  code: "wallet_limit_exceeded",
  detail: "The payment exceeds what the wallet's account may still transfer on this day (UTC).",
};

/**
 * Simulates the bundle that would contain the signed operation. Returns why it would fail, or undefined. Undefined as well if the
 * network's node cannot simulate.
 */
export async function rehearseOperation(
  chain: EvmNetwork,
  { operation, userOpHash }: SignedBytes,
  owner: string,
): Promise<PaymentFailure | undefined> {
  const from = owner as HexText;
  const data = AbiFunction.encodeData(HANDLE_OPS, [[UserOperation.toPacked(operation)], from]);
  const simulated = await chain.simulate({ from, to: ENTRY_POINT, data });
  if (simulated === null || isExecuted(simulated, userOpHash)) return undefined;
  // The EntryPoint logs the reason of a call that reverts.
  const isLimit = simulated.logs.some((log) => log.data.includes(LIMIT_EXCEEDED));
  if (isLimit) return LIMIT_FAILURE;
  return { code: "would_revert", detail: `The network would refuse the payment${reasonOf(simulated)}.` };
}

/** What is over the limit of the account needs no signature to be refused. */
export function limitFailure(amount: bigint, remaining: bigint): PaymentFailure | undefined {
  return amount > remaining ? LIMIT_FAILURE : undefined;
}

function isExecuted({ success, logs }: SimulatedCall, userOpHash: string): boolean {
  return (
    success &&
    logs.some(
      ({ address, topics, data }) =>
        address.toLowerCase() === ENTRY_POINT.toLowerCase() &&
        topics[0] === USER_OPERATION_EVENT &&
        topics[1] === userOpHash &&
        isSuccess(data),
    )
  );
}

function reasonOf({ returnData }: SimulatedCall): string {
  try {
    const [, reason] = AbiError.decode(FAILED_OP, returnData as HexText, { as: "Array" });
    return `: ${reason}`;
  } catch {
    return "";
  }
}
