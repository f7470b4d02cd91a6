import { type Hex, isAddressEqual, numberToHex, parseEventLogs, type RpcLog, type RpcTransactionReceipt } from "viem";
import { entryPoint08Abi, entryPoint08Address } from "viem/account-abstraction";

/**
 * Returns the receipt of an operation as ERC-7769 has it on the wire. `receipt` is that of its bundle, as the node sent it.
 * Null if the bundle did not execute the operation.
 */
export function operationReceiptOf(userOpHash: Hex, receipt: RpcTransactionReceipt): object | null {
  const events = receipt.logs.map(eventOf);
  const end = events.findIndex(
    (event) => event?.eventName === "UserOperationEvent" && event.args.userOpHash === userOpHash,
  );
  const event = events[end];
  if (event?.eventName !== "UserOperationEvent") return null;

  // The event ends the logs of its operation. Those of the first one start after the validation of all.
  const start =
    1 + events.slice(0, end).findLastIndex((each) => /^(BeforeExec|UserOperationE)/.test(`${each?.eventName}`));
  const failed = events.slice(start, end).find((each) => each?.eventName === "UserOperationRevertReason");
  const { sender, nonce, paymaster, success, actualGasCost, actualGasUsed } = event.args;
  return {
    ...{ userOpHash, entryPoint: entryPoint08Address, sender, nonce: numberToHex(nonce), paymaster, success },
    ...{ actualGasCost: numberToHex(actualGasCost), actualGasUsed: numberToHex(actualGasUsed) },
    ...(failed?.eventName === "UserOperationRevertReason" && { reason: failed.args.revertReason }),
    ...{ logs: receipt.logs.slice(start, end), receipt },
  };
}

function eventOf(log: RpcLog) {
  if (!isAddressEqual(log.address, entryPoint08Address)) return undefined;
  return parseEventLogs({ abi: entryPoint08Abi, logs: [log] })[0];
}
