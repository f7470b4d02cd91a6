import { type Static, type TSchema, Type } from "typebox";
import { Check } from "typebox/value";
import { VendorError } from "../../ports/vendor-error.ts";
import type { VendorCall, VendorClient } from "../http-client/vendor-client.ts";

/** Each request has one call, so all can use the same id. */
const ID = 1;

// A response with an error instead of a result does not match, and is `unknown`.
const RpcResponse = Type.Object({
  jsonrpc: Type.Literal("2.0"),
  id: Type.Literal(ID),
  result: Type.Unknown(),
});

export interface RpcRequest<Schema extends TSchema>
  extends Pick<VendorCall<Schema>, "path" | "query" | "secrets"> {
  readonly vendor: string;
  /** A method without parameters and without effect. */
  readonly method: string;
  /** The schema of the result. */
  readonly result: Schema;
}

/** Calls a method of a JSON-RPC 2.0 node. Errors of the node and results of another shape are `unknown`. */
export async function callRpc<Schema extends TSchema>(
  client: VendorClient,
  { vendor, method, result, ...target }: RpcRequest<Schema>,
): Promise<Static<Schema>> {
  const response = await client.call({
    ...target,
    operation: method,
    method: "POST",
    body: { jsonrpc: "2.0", id: ID, method, params: [] },
    schema: RpcResponse,
  });
  if (Check(result, response.result)) return response.result;
  throw new VendorError("unknown", {
    vendor,
    operation: method,
    vendorMessage: "the result has an unexpected shape",
  });
}
