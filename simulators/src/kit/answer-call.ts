import { setTimeout } from "node:timers/promises";
import type { TSchema } from "typebox";
import type { VendorContract } from "../contracts/vendor-contract.ts";
import type { ForcedOutcomes } from "./forced-outcomes.ts";
import { readFormValues } from "./form-values.ts";
import { schemaCheck } from "./schema-check.ts";
import type {
  RequestProblem,
  VendorAnswer,
  VendorContext,
  VendorRequest,
  VendorRoute,
  VendorSimulator,
} from "./vendor-simulator.ts";

/** The status of an answer that the simulator itself got wrong. No vendor uses it, so no adapter takes it for one's. */
const SIMULATORS_FAULT = 599;

export interface SimulatedVendor {
  readonly simulator: VendorSimulator;
  readonly context: VendorContext;
  readonly outcomes: ForcedOutcomes;
  readonly contract: VendorContract | null;
}

/** A request to one of the routes, and what was found wrong with it before anybody looked at the route. */
export interface IncomingCall {
  readonly request: VendorRequest;
  readonly isForm: boolean;
  /** Of a body that could not be read. */
  readonly unreadable: readonly RequestProblem[];
  /** Of the vendor's description; null where there is none. */
  readonly againstContract: readonly RequestProblem[] | null;
}

/** What the route answers, as the vendor would; undefined where the client is to be left without an answer. */
export type AnswerCall = (
  vendor: SimulatedVendor,
  call: IncomingCall,
) => Promise<VendorAnswer | undefined>;

/** Credentials, then the request's form, then whatever outcome was forced upon the call, then the route's own work. */
export function callAnswerer(route: VendorRoute): AnswerCall {
  const readRequest = requestReader(route);
  return async (vendor, call) => {
    const caller = await route.auth(call.request, vendor.context);
    if (caller === undefined) return vendor.simulator.errors.unauthorized();
    const { request, problems } = readRequest(call);
    if (problems.length > 0) return vendor.simulator.errors.invalid(problems);
    return actOut(route, { ...request, caller }, vendor);
  };
}

/** The answer, or in its place the fault that the vendor's description finds in it. */
export function heldToContract(
  contract: VendorContract | null,
  operation: string,
  answer: VendorAnswer,
): VendorAnswer {
  // As it goes over the wire: dates are texts there, and what is undefined is not there.
  const body = answer.body === undefined ? undefined : JSON.parse(JSON.stringify(answer.body));
  const problems = contract?.checkAnswer(operation, { status: answer.status, body }) ?? [];
  return problems.length === 0 ? answer : simulatorError({ problems, answer });
}

/** What is answered when the simulator is wrong: loud, so that no test passes on it. */
export function simulatorError(fault: object): VendorAnswer {
  return { status: SIMULATORS_FAULT, body: { simulators_fault: fault } };
}

export function isSimulatorError(answer: VendorAnswer): boolean {
  return answer.status === SIMULATORS_FAULT;
}

function requestReader(route: VendorRoute) {
  const readBody = partReader(route.body);
  const readQuery = partReader(route.query, "query");
  return ({ request, isForm, unreadable, againstContract }: IncomingCall) => {
    if (unreadable.length > 0) return { request, problems: unreadable };
    const body = readBody(request.body, isForm);
    const query = readQuery(request.query, true);
    const ours = [...body.problems, ...query.problems];
    return {
      request: { ...request, body: body.value, query: query.value },
      problems: ours.length > 0 ? ours : (againstContract ?? []),
    };
  };
}

function partReader(schema: TSchema | undefined, root = "") {
  if (!schema) return (value: unknown) => ({ value, problems: [] });
  const check = schemaCheck(schema, root);
  return (sent: unknown = {}, isForm: boolean) => {
    const value = isForm ? readFormValues(schema, sent) : sent;
    return { value, problems: check(value) };
  };
}

async function actOut(
  route: VendorRoute,
  request: VendorRequest,
  { outcomes, simulator: { errors }, context }: SimulatedVendor,
): Promise<VendorAnswer | undefined> {
  const { outcome, delayMs } = outcomes.take(route.operation);
  if (outcome === "refused") return errors.refused();
  if (outcome === "rate_limited") return askedToWait(errors.rateLimited());
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
      // What was refused was not applied, so it cannot be there already.
      return applied.status < 400 ? errors.duplicate(applied) : applied;
    case "slow":
      await setTimeout(delayMs, undefined, { ref: false });
      return applied;
  }
}

function askedToWait(answer: VendorAnswer): VendorAnswer {
  return { ...answer, headers: { ...answer.headers, "retry-after": "1" } };
}
