import { type Static, type TProperties, Type } from "typebox";
import type { VendorContext, VendorRequest, VendorResponse, VendorRoute } from "../kit/vendor-simulator.ts";
import { newRequestId, PlaidApiError } from "./plaid-errors.ts";
import type { PlaidEvents } from "./plaid-events.ts";

const API_VERSION = "2020-09-14";

export type PlaidMode = "live" | "test";

export interface PlaidCredentials {
  readonly clientId: string;
  /** Each secret belongs to an environment. Objects of one do not exist in the other. */
  readonly secrets: Readonly<Record<PlaidMode, string>>;
}

export interface PlaidCall<Body = unknown> extends VendorContext {
  readonly body: Body;
  readonly mode: PlaidMode;
  readonly events: PlaidEvents;
}

interface PlaidRouteDefinition<Fields extends TProperties> {
  readonly operation: string;
  readonly url: string;
  readonly body: Fields;
  /** Returns the response without `request_id`. */
  readonly handle: (call: PlaidCall<Static<ReturnType<typeof Type.Object<Fields>>>>) => Promise<object>;
}

export type PlaidRoute = (credentials: PlaidCredentials, events: PlaidEvents) => VendorRoute;

/** Creates a route. All of Plaid's routes are POST, and refuse unknown fields. */
export function plaidRoute<Fields extends TProperties>(definition: PlaidRouteDefinition<Fields>): PlaidRoute {
  const { operation, url, body, handle } = definition;
  return (credentials, events) => ({
    operation,
    method: "POST",
    url,
    body: Type.Object(body, { additionalProperties: false }),
    auth: async ({ headers }) => modeOf(headers, credentials),
    handle: async ({ caller, body: sent }, { objects, now, baseUrl }) => {
      // The credentials and the body were checked before `handle` was called.
      const call = { objects, now, baseUrl, events, mode: caller as PlaidMode, body: sent as never };
      return respondWith(() => handle(call));
    },
  });
}

async function respondWith(handle: () => Promise<object>): Promise<VendorResponse> {
  try {
    return { status: 200, body: { ...(await handle()), request_id: newRequestId() } };
  } catch (error) {
    if (error instanceof PlaidApiError) return error.response;
    throw error;
  }
}

function modeOf(
  {
    "plaid-client-id": clientId,
    "plaid-secret": secret,
    "plaid-version": version = API_VERSION,
  }: VendorRequest["headers"],
  { clientId: expected, secrets }: PlaidCredentials,
): PlaidMode | undefined {
  if (clientId !== expected || version !== API_VERSION) return undefined;
  if (secret === secrets.live) return "live";
  return secret === secrets.test ? "test" : undefined;
}
