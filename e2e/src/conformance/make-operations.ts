import type { ApiResponse } from "../signed-client.ts";
import type { ConformanceContext } from "./context.ts";
import type { CredentialClass, Operation, WrongCall } from "./operation.ts";
import { type CallOf, callOf, wrongCredentials } from "./wrong-credentials.ts";

type SaveValues = (response: ApiResponse, context: ConformanceContext) => void;

interface Extra {
  /** Saves values from the response for later operations. */
  readonly save?: SaveValues;
  readonly moreWrongCalls?: readonly WrongCall[];
  /** The mode of the key that makes the correct call. Default: `live`. */
  readonly mode?: "live" | "test";
}

/**
 * Defines an operation that requires a credential. It is called with the correct credential and with each wrong one.
 */
export function authenticatedOperation(
  name: Operation["name"],
  credential: Exclude<CredentialClass, "public" | "vendor">,
  status: number,
  call: CallOf,
  { save, moreWrongCalls = [], mode = "live" }: Extra = {},
): Operation {
  const callers = {
    tenant: (context: ConformanceContext) => context[mode],
    signed: (context: ConformanceContext) => context[mode],
    dashboard: ({ session }: ConformanceContext) => session,
    admin: ({ adminCaller }: ConformanceContext) => adminCaller(),
  };
  return {
    name,
    credential,
    status,
    wrongCalls: [...wrongCredentials(credential, call), ...moreWrongCalls],
    call: async (context) => saved(await callers[credential](context)(callOf(call, context)), context, save),
  };
}

/** Defines an operation that requires no credential. */
export function publicOperation(
  name: Operation["name"],
  status: number,
  call: CallOf,
  { save, moreWrongCalls = [] }: Extra = {},
): Operation {
  return {
    name,
    credential: "public",
    status,
    wrongCalls: moreWrongCalls,
    call: async (context) => saved(await context.anonymous(callOf(call, context)), context, save),
  };
}

/** Defines a call with wrong input and without a credential. `status` is the expected status. */
export function wrongCall(description: string, status: number, call: CallOf): WrongCall {
  return { description, status, call: (context) => context.anonymous(callOf(call, context)) };
}

function saved(response: ApiResponse, context: ConformanceContext, save: SaveValues | undefined): ApiResponse {
  if (response.status < 400) save?.(response, context);
  return response;
}
