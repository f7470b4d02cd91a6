import type { ApiPromise } from "../api-promise.ts";
import type { Operation } from "../api-types.ts";
import { PurserError } from "../errors.ts";
import { path } from "../path.ts";
import type { RequestOptions, Transport } from "../transport.ts";

export type OperationStep = Operation["steps"][number];

export interface WaitOptions extends RequestOptions {
  /** How long to wait in all, in milliseconds. Default 10 minutes. */
  readonly deadlineMs?: number | undefined;
  /** Called with the operation each time it was read. */
  readonly onProgress?: ((operation: Operation) => void) | undefined;
}

/** An operation ended without success. `operation.error` says why, and its steps what was undone. */
export class OperationFailedError extends PurserError {
  readonly operation: Operation;

  constructor(operation: Operation) {
    const { operation_id, status, error } = operation;
    const why = error?.detail ?? error?.title ?? "It says no more.";
    super(`The operation ${operation_id} ended as ${status}: ${why}`);
    this.operation = operation;
  }
}

/** The operation had not ended at the deadline. It continues. */
export class OperationTimeoutError extends PurserError {
  readonly operation: Operation;

  constructor(operation: Operation) {
    super(`The operation ${operation.operation_id} still runs.`);
    this.operation = operation;
  }
}

const UNENDED: ReadonlySet<Operation["status"]> = new Set(["running", "requires_approval"]);
const DEADLINE_MS = 600_000;
const FIRST_DELAY_MS = 250;
const DELAY_MAX_MS = 5_000;
const GROWTH = 1.5;

/** Long-running operations: their progress and result. Never the credentials that they created. */
export class Operations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get(operationId: string, options?: RequestOptions): ApiPromise<Operation> {
    return getOperation(this.#transport, path`/operations/${operationId}`, options);
  }

  /**
   * The operation once it has succeeded, asked for again and again, less and less often.
   *
   * @throws OperationFailedError where it ends otherwise, OperationTimeoutError where it has not ended at the deadline; both
   * have the operation as it was last seen.
   */
  async waitFor(
    operation: Pick<Operation, "operation_id">,
    options: WaitOptions = {},
  ): Promise<Operation> {
    return waitUntilEnded(this.#transport, path`/operations/${operation.operation_id}`, options);
  }
}

/** The operations of a project. */
export class ProjectOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get(projectId: string, operationId: string, options?: RequestOptions): ApiPromise<Operation> {
    return getOperation(this.#transport, routeOf(projectId, operationId), options);
  }

  /** As `Operations.waitFor`. */
  async waitFor(
    operation: Pick<Operation, "project_id" | "operation_id">,
    options: WaitOptions = {},
  ): Promise<Operation> {
    const { project_id: projectId, operation_id: operationId } = operation;
    const route =
      projectId === null ? path`/operations/${operationId}` : routeOf(projectId, operationId);
    return waitUntilEnded(this.#transport, route, options);
  }
}

function routeOf(projectId: string, operationId: string): string {
  return path`/projects/${projectId}/operations/${operationId}`;
}

function getOperation(
  transport: Transport,
  route: string,
  options?: RequestOptions,
): ApiPromise<Operation> {
  return transport.request({ method: "GET", path: route, access: "tenant" }, options);
}

async function waitUntilEnded(
  transport: Transport,
  route: string,
  { deadlineMs = DEADLINE_MS, onProgress, ...options }: WaitOptions,
): Promise<Operation> {
  const endsAtMs = transport.nowMs() + deadlineMs;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * GROWTH, DELAY_MAX_MS)) {
    const seen = await getOperation(transport, route, options);
    onProgress?.(seen);
    if (seen.status === "succeeded") return seen;
    if (!UNENDED.has(seen.status)) throw new OperationFailedError(seen);
    if (transport.nowMs() + delayMs > endsAtMs) throw new OperationTimeoutError(seen);
    await transport.sleep(delayMs, options.signal);
  }
}
