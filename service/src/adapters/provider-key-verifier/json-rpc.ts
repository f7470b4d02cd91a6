import { type Static, type TSchema, Type } from "typebox";
import { Check } from "typebox/value";
import { VendorError } from "../../ports/vendor-error.ts";
import type { VendorCall, VendorClient } from "../http-client/vendor-client.ts";

/** One call a request, so that every answer has the same number. */
const ID = 1;

// An answer with an error in place of the result is one that says nothing here.
const RpcAnswer = Type.Object({
  jsonrpc: Type.Literal("2.0"),
  id: Type.Literal(ID),
  result: Type.Unknown(),
});

export interface RpcRequest<Schema extends TSchema>
  extends Pick<VendorCall<Schema>, "path" | "query" | "secrets"> {
  readonly vendor: string;
  /** A method without parameters that changes nothing. */
  readonly method: string;
  /** Of the result. */
  readonly result: Schema;
}

/** Asks a JSON-RPC 2.0 node. Its own errors are `unknown`, as is a result of another shape. */
export async function callRpc<Schema extends TSchema>(
  client: VendorClient,
  { vendor, method, result, ...where }: RpcRequest<Schema>,
): Promise<Static<Schema>> {
  const answer = await client.call({
    ...where,
    operation: method,
    method: "POST",
    body: { jsonrpc: "2.0", id: ID, method, params: [] },
    schema: RpcAnswer,
  });
  if (Check(result, answer.result)) return answer.result;
  throw new VendorError("unknown", {
    vendor,
    operation: method,
    vendorMessage: "a result of another shape than asked for",
  });
}
