import type { ApiPromise } from "../api-promise.ts";
import type { Operation } from "../api-types.ts";
import { PurserError } from "../errors.ts";
import { path } from "../path.ts";
import { Resource } from "../resource.ts";
import type { RequestOptions, Transport } from "../transport.ts";

export type OperationStep = Operation["steps"][number];

export interface WaitOptions extends RequestOptions {
  /** The maximum total waiting time in milliseconds. Default: 600,000. */
  readonly deadlineMs?: number | undefined;
  /** Called with the operation after each poll. */
  readonly onProgress?: ((operation: Operation) => void) | undefined;
}

/**
 * Thrown if an operation ends without success. `operation.error` is the reason, and `operation.steps` shows which steps
 * were undone.
 */
export class OperationFailedError extends PurserError {
  readonly operation: Operation;

  constructor(operation: Operation) {
    const { operation_id, status, error } = operation;
    const reason = error?.detail ?? error?.title ?? "No reason was given.";
    super(`The operation ${operation_id} ended as ${status}: ${reason}`);
    this.operation = operation;
  }
}

/** Thrown if an operation has not ended within `deadlineMs`. The operation continues on the server. */
export class OperationTimeoutError extends PurserError {
  readonly operation: Operation;

  constructor(operation: Operation) {
    super(`The operation ${operation.operation_id} has not ended. Its status is ${operation.status}.`);
    this.operation = operation;
  }
}

const PENDING_STATUSES: ReadonlySet<Operation["status"]> = new Set(["running", "requires_approval"]);
const DEADLINE_MS = 600_000;
const FIRST_DELAY_MS = 250;
const DELAY_MAX_MS = 5_000;
const DELAY_FACTOR = 1.5;

/** Reads the progress and result of long-running operations. Responses never contain credentials. */
export class Operations extends Resource {
  get(operationId: string, options?: RequestOptions): ApiPromise<Operation> {
    return this.request({ method: "GET", path: path`/operations/${operationId}`, access: "tenant" }, options);
  }

  /**
   * Polls an operation until it succeeds. The delay between polls grows from 0.25 to 5 seconds.
   *
   * @throws OperationFailedError if the operation ends without success, OperationTimeoutError at the deadline. Both
   * errors contain the operation as it was last read.
   *
   * @param operation the operation or its id
   */
  async waitFor(operation: string | Pick<Operation, "operation_id">, options?: WaitOptions): Promise<Operation> {
    const operationId = typeof operation === "string" ? operation : operation.operation_id;
    return waitUntilEnded(this.transport(), (poll) => this.get(operationId, poll), options);
  }
}

/** Reads a project's operations. */
export class ProjectOperations extends Resource {
  get(projectId: string, operationId: string, options?: RequestOptions): ApiPromise<Operation> {
    const route = path`/projects/${projectId}/operations/${operationId}`;
    return this.request({ method: "GET", path: route, access: "tenant" }, options);
  }

  /** Polls an operation until it succeeds. Works like `Operations.waitFor`. */
  async waitFor(operation: Pick<Operation, "project_id" | "operation_id">, options?: WaitOptions): Promise<Operation> {
    const { project_id: projectId, operation_id: operationId } = operation;
    if (projectId === null) return new Operations(this.transport()).waitFor(operation, options);
    return waitUntilEnded(this.transport(), (poll) => this.get(projectId, operationId, poll), options);
  }
}

async function waitUntilEnded(
  transport: Transport,
  read: (options: RequestOptions) => ApiPromise<Operation>,
  { deadlineMs = DEADLINE_MS, onProgress, ...options }: WaitOptions = {},
): Promise<Operation> {
  const deadlineAtMs = transport.nowMs() + deadlineMs;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * DELAY_FACTOR, DELAY_MAX_MS)) {
    const current = await read(options);
    onProgress?.(current);
    if (current.status === "succeeded") return current;
    if (!PENDING_STATUSES.has(current.status)) throw new OperationFailedError(current);
    if (transport.nowMs() + delayMs > deadlineAtMs) throw new OperationTimeoutError(current);
    await transport.sleep(delayMs, options.signal);
  }
}
