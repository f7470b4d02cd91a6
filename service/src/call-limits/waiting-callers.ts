import type { ApprovalId, TenantId } from "../foundation/ids.ts";

const TENANT_CALLERS_MAX = 100;
const CALLERS_MAX = 500;

interface WaitedFor {
  readonly tenantId: TenantId;
  readonly approvalId: ApprovalId;
}

interface Waiting extends WaitedFor {
  readonly leave: () => void;
}

/**
 * The callers of this process that wait for approvals. A caller costs a timer and an entry in a list, and uses no
 * database connection. The number of callers is limited, for each tenant and for the process.
 */
export class WaitingCallers {
  readonly #callers = new Set<Waiting>();
  #isClosed = false;

  /**
   * Returns a promise that resolves when the approval is woken, the time is over, the caller leaves or the process
   * stops. Returns undefined if too many callers wait.
   */
  enter(
    { tenantId, approvalId }: WaitedFor,
    { waitMs, left }: { readonly waitMs: number; readonly left: AbortSignal },
  ): Promise<void> | undefined {
    if (this.#isClosed || left.aborted) return Promise.resolve();
    const own = [...this.#callers].filter((caller) => caller.tenantId === tenantId);
    if (own.length >= TENANT_CALLERS_MAX || this.#callers.size >= CALLERS_MAX) return undefined;
    return new Promise((resolve) => {
      const leave = () => {
        clearTimeout(timer);
        left.removeEventListener("abort", leave);
        this.#callers.delete(caller);
        resolve();
      };
      const caller = { tenantId, approvalId, leave };
      const timer = setTimeout(leave, waitMs);
      left.addEventListener("abort", leave);
      this.#callers.add(caller);
    });
  }

  get count(): number {
    return this.#callers.size;
  }

  /** Returns the approvals that callers wait for, each once. */
  list(): readonly WaitedFor[] {
    return [...new Map([...this.#callers].map((caller) => [caller.approvalId, caller])).values()];
  }

  /** Wakes the callers that wait for this approval. */
  wake(approvalId: ApprovalId): void {
    for (const caller of this.#callers) {
      if (caller.approvalId === approvalId) caller.leave();
    }
  }

  /** Wakes all callers. Later ones do not wait. */
  close(): void {
    this.#isClosed = true;
    for (const caller of this.#callers) caller.leave();
  }
}
