import { createHash } from "node:crypto";
import { type Static, type TProperties, type TSchema, Type } from "typebox";
import type { Idempotency, IdempotencyRules } from "../kit/idempotency.ts";
import type { StoredObject } from "../kit/object-store.ts";
import { isSandboxKey } from "../kit/sandbox-key.ts";
import type { VendorContext, VendorResponse, VendorRoute } from "../kit/vendor-simulator.ts";
import { BridgeApiError, bridgeError, bridgeErrors } from "./bridge-errors.ts";

/** The operator's API keys. Only their accounts have webhook endpoints. */
export const OPERATOR_KEYS = { live: "sk-live-sandbox", test: "sk-test-sandbox" };

/** The events that the simulator sends. The part before the first dot is the type of the object. */
export const EVENT_TYPES = [
  "kyc_link.created",
  "kyc_link.updated.status_transitioned",
  "transfer.created",
  "transfer.updated.status_transitioned",
] as const;
export type BridgeEventType = (typeof EVENT_TYPES)[number];

export interface BridgeEvents {
  /** Sends an event with the object's current state, without waiting for the response. Returns the event's id. */
  emit(context: VendorContext, type: BridgeEventType, objectId: string): Promise<string>;
}

const KEY_LIFETIME_MS = 24 * 3_600_000;

/** An object of an account. Requests of other accounts cannot access it. */
export interface OfAccount {
  /** The account's API key, which only simulators accept. */
  readonly account: string;
}

export interface BridgeCall<Body = unknown, Query = unknown> extends VendorContext {
  readonly body: Body;
  readonly query: Query;
  readonly params: Readonly<Record<string, string>>;
  readonly account: string;
  readonly events: BridgeEvents;
  /** A UUID that is the same for a repeated request, even if the process was killed before it stored the response. */
  readonly newId: string;
}

export type BridgeRoute = (events: BridgeEvents, idempotency: Idempotency) => VendorRoute;

export function bridgeRoute<Body extends TSchema, Query extends TSchema>({
  handle,
  ...route
}: Pick<VendorRoute, "operation" | "method" | "url"> & {
  readonly body?: Body;
  readonly query?: Query;
  readonly handle: (call: BridgeCall<Static<Body>, Static<Query>>) => Promise<VendorResponse>;
}): BridgeRoute {
  return (events, idempotency) => ({
    ...route,
    auth: async ({ headers }) => accountOf(headers["api-key"]),
    handle: async (request, context) => {
      const { method, path, rawBody, params, headers } = request;
      const key = headers["idempotency-key"];
      if (method !== "POST" && key !== undefined) return invalidKey(400, "is only allowed with POST");
      const account = String(request.caller);
      const newId = uuidOf([account, String(key), path, rawBody].join("\n"));
      // The body and the query were validated against the route's schemas before `handle` was called.
      const { body, query } = request as { body: Static<Body>; query: Static<Query> };
      const { objects, now, baseUrl } = context;
      const call = { objects, now, baseUrl, body, query, params, account, events, newId };
      return idempotency.runOnce(request, context, () => handle(call).catch(errorResponse));
    },
  });
}

/** Every POST needs a key. Bridge's pages say nothing about two requests at the same time. */
export const BRIDGE_IDEMPOTENCY: IdempotencyRules = {
  check: (key) => (typeof key === "string" && key !== "" ? undefined : invalidKey(400, "is required")),
  inUse: bridgeErrors.rateLimited,
  otherParameters: () => invalidKey(422, "was used with another request"),
  expiry: { afterMs: KEY_LIFETIME_MS, response: () => invalidKey(422, "was used more than 24 hours ago") },
};

/** An object without unknown fields. */
export function closed<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}

/** Returns the account's object. Throws the error 404 if there is none. */
export async function findOwn<Data extends OfAccount>(
  { objects, account }: Pick<BridgeCall, "objects" | "account">,
  type: string,
  id = "",
): Promise<StoredObject<Data>> {
  const found = await objects.find<Data>(type, id);
  if (found?.data.account !== account) throw new BridgeApiError(bridgeErrors.notFound());
  return found;
}

/** Stores an object with the id of the call, unless the call is repeated. */
export async function insertOwn<Data extends OfAccount>(
  call: BridgeCall,
  { type, state, data }: { readonly type: string; readonly state: string; readonly data: Data },
): Promise<StoredObject<Data>> {
  await call.objects.insert({ type, id: call.newId, state, data });
  return findOwn(call, type, call.newId);
}

function accountOf(apiKey: unknown): string | undefined {
  const isOperator = apiKey === OPERATOR_KEYS.live || apiKey === OPERATOR_KEYS.test;
  return isOperator || isSandboxKey(apiKey) ? apiKey : undefined;
}

function invalidKey(status: 400 | 422, message: string): VendorResponse {
  const source = { location: "header", key: "Idempotency-Key" };
  return bridgeError(status, "invalid_idempotency_key", `Idempotency-Key ${message}`, source);
}

function errorResponse(error: unknown): VendorResponse {
  if (error instanceof BridgeApiError) return error.response;
  throw error;
}

function uuidOf(seed: string): string {
  const hex = createHash("sha256").update(seed).digest("hex");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-a$4-$5");
}
