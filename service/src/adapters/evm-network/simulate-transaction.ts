import { type Static, Type } from "typebox";
import type { ContractCall, SimulatedCall } from "../../ports/evm-network.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { tryRpc } from "../http-client/json-rpc.ts";
import type { VendorClient } from "../http-client/vendor-client.ts";
import { HexData } from "./chain-reads.ts";

/** A node that does not have a method. Some answer that a request is invalid, or that a method is not available. */
const NO_SUCH_METHOD: readonly number[] = [-32601, -32600, -32004];

const SimulatedBlocks = Type.Array(
  Type.Object({
    calls: Type.Array(
      Type.Object({
        status: Type.Enum(["0x1", "0x0"]),
        returnData: HexData,
        logs: Type.Optional(
          Type.Array(Type.Object({ address: Type.String(), topics: Type.Array(HexData), data: HexData })),
        ),
        error: Type.Optional(Type.Object({ data: Type.Optional(HexData) })),
      }),
      { minItems: 1, maxItems: 1 },
    ),
  }),
  { minItems: 1, maxItems: 1 },
);

/** Simulates a transaction after the newest block (https://ethereum.github.io/execution-apis, `eth_simulateV1`). */
export async function simulateTransaction(
  client: VendorClient,
  { from, to, data }: ContractCall & { readonly from: string },
): Promise<SimulatedCall | null> {
  const block = { blockStateCalls: [{ calls: [{ from, to, data }] }] };
  const outcome = await tryRpc(client, {
    ...{ method: "eth_simulateV1", params: [block, "latest"], result: SimulatedBlocks },
  });
  if ("failure" in outcome) {
    if (NO_SUCH_METHOD.includes(outcome.failure.code)) return null;
    const { code, message: vendorMessage } = outcome.failure;
    const error = { vendor: client.vendor, operation: "eth_simulateV1", vendorCode: String(code), vendorMessage };
    throw new VendorError("unknown", error);
  }
  const call = outcome.result[0]?.calls[0];
  if (call === undefined) throw new VendorError("unknown", { vendor: client.vendor, operation: "eth_simulateV1" });
  return simulatedCallOf(call);
}

type Simulated = NonNullable<Static<typeof SimulatedBlocks>[number]>["calls"][number];

/** Some nodes return the data of a revert as that of an error. */
function simulatedCallOf({ status, returnData, error, logs = [] }: Simulated): SimulatedCall {
  const data = returnData === "0x" ? (error?.data ?? returnData) : returnData;
  return { success: status === "0x1", returnData: data, logs };
}
