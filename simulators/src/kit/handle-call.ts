import { setTimeout } from "node:timers/promises";
import type { TSchema } from "typebox";
import type { VendorContract } from "../contracts/vendor-contract.ts";
import type { ForcedOutcomes } from "./forced-outcomes.ts";
import { readFormValues } from "./form-values.ts";
import type { ChooseOutcome } from "./outcome.ts";
import { createSchemaCheck } from "./schema-check.ts";
import type {
  RequestProblem,
  VendorContext,
  VendorRequest,
  VendorResponse,
  VendorRoute,
  VendorSimulator,
} from "./vendor-simulator.ts";

/** Status of an internal simulator error. No vendor uses it, so it cannot be mistaken for a vendor's response. */
const SIMULATOR_ERROR_STATUS = 599;

export interface SimulatedVendor {
  readonly simulator: VendorSimulator;
  readonly context: VendorContext;
  readonly outcomes: ForcedOutcomes;
  readonly chooseOutcome: ChooseOutcome;
  readonly contract: VendorContract | null;
}

/** A request to a route, with the problems that were found before the route's own checks. */
export interface IncomingCall {
  readonly request: VendorRequest;
  readonly isForm: boolean;
  /** Errors from parsing the body. Empty if the body is valid. */
  readonly bodyProblems: readonly RequestProblem[];
  /** Violations of the vendor's OpenAPI description. Null if there is no description. */
  readonly contractProblems: readonly RequestProblem[] | null;
}

/** Returns the vendor's response, or undefined if the client gets no response. */
export type CallHandler = (vendor: SimulatedVendor, call: IncomingCall) => Promise<VendorResponse | undefined>;

/**
 * Returns a function that checks the credentials and the request, and then calls `route.handle`. A forced outcome can
 * prevent the call to `route.handle` or change the response.
 */
export function createCallHandler(route: VendorRoute): CallHandler {
  const readRequest = requestReader(route);
  return async (vendor, call) => {
    const caller = await route.auth(call.request, vendor.context);
    if (caller === undefined) return vendor.simulator.errors.unauthorized();
    const { request, problems } = readRequest(call);
    if (problems.length > 0) return vendor.simulator.errors.invalid(problems);
    return applyOutcome(route, { ...request, caller }, vendor);
  };
}

/** Returns the response, or a simulator error if the response violates the vendor's OpenAPI description. */
export function enforceContract(
  contract: VendorContract | null,
  operation: string,
  response: VendorResponse,
): VendorResponse {
  // The check uses the body as the client receives it: JSON converts dates to strings and drops undefined members.
  const body = response.body === undefined ? undefined : JSON.parse(JSON.stringify(response.body));
  const problems = contract?.checkResponse(operation, { status: response.status, body }) ?? [];
  return problems.length === 0 ? response : simulatorError({ problems, answer: response });
}

/** Returns the response for an internal simulator error. */
export function simulatorError(details: object): VendorResponse {
  return { status: SIMULATOR_ERROR_STATUS, body: { simulators_fault: details } };
}

export function isSimulatorError(response: VendorResponse): boolean {
  return response.status === SIMULATOR_ERROR_STATUS;
}

function requestReader(route: VendorRoute) {
  const readBody = partReader(route.body);
  const readQuery = partReader(route.query, "query");
  return ({ request, isForm, bodyProblems, contractProblems }: IncomingCall) => {
    if (bodyProblems.length > 0) return { request, problems: bodyProblems };
    const body = readBody(request.body, isForm);
    const query = readQuery(request.query, true);
    const schemaProblems = [...body.problems, ...query.problems];
    return {
      request: { ...request, body: body.value, query: query.value },
      problems: schemaProblems.length > 0 ? schemaProblems : (contractProblems ?? []),
    };
  };
}

function partReader(schema: TSchema | undefined, root = "") {
  if (!schema) return (value: unknown) => ({ value, problems: [] });
  const check = createSchemaCheck(schema, root);
  return (sent: unknown = {}, isForm: boolean) => {
    const value = isForm ? readFormValues(schema, sent) : sent;
    return { value, problems: check(value) };
  };
}

async function applyOutcome(
  route: VendorRoute,
  request: VendorRequest,
  { outcomes, chooseOutcome, simulator: { vendor, errors }, context }: SimulatedVendor,
): Promise<VendorResponse | undefined> {
  const { outcome, delayMs } = takeForced(outcomes, route, request.body) ?? chooseOutcome(vendor, request);
  if (outcome === "refused") return errors.refused();
  if (outcome === "rate_limited") return withRetryAfter(errors.rateLimited());
  if (outcome === "timeout_lost") return undefined;

  const applied = await route.handle(request, context);
  switch (outcome) {
    case "ok":
      return applied;
    case "timeout_applied":
      return undefined;
    case "error_applied":
      return errors.serverError();
    case "duplicate":
      // If the call fails, the client gets the call's own error, not the response to a duplicate call.
      return applied.status < 400 ? errors.duplicate(applied) : applied;
    case "slow":
      await setTimeout(delayMs, undefined, { ref: false });
      return applied;
  }
}

function takeForced(outcomes: ForcedOutcomes, { operation, methods = [] }: VendorRoute, body: unknown) {
  const { method }: Record<string, unknown> = Object(body);
  const ofMethod = typeof method === "string" && methods.includes(method) ? outcomes.take(method) : undefined;
  return ofMethod ?? outcomes.take(operation);
}

function withRetryAfter(response: VendorResponse): VendorResponse {
  return { ...response, headers: { ...response.headers, "retry-after": "1" } };
}
