import type { ApiPromise } from "../api-promise.ts";
import type { Approval, DecideApprovalRequest } from "../api-types.ts";
import type { PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { RequestOptions, Transport } from "../transport.ts";

export interface ListApprovalsQuery extends CursorQuery {
  readonly status?: Approval["status"];
  readonly agent_id?: string;
}

export interface GetApprovalOptions extends RequestOptions {
  /** How long the server waits for the decision before it responds, 0 to 30 seconds. Default: 0. */
  readonly waitSeconds?: number | undefined;
}

const WAIT_SECONDS_MAX = 30;
/** The time that a response may take in addition to the requested wait. */
const MARGIN_MS = 30_000;

/** Reads what waits for a person's decision, and approves or denies it. */
export class Approvals {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists approvals, newest first. */
  list(query: ListApprovalsQuery = {}, options?: RequestOptions): PagePromise<Approval> {
    return requestPages(this.#transport, "/approvals", query, options);
  }

  get(approvalId: string, { waitSeconds, ...options }: GetApprovalOptions = {}): ApiPromise<Approval> {
    const call = { method: "GET", path: path`/approvals/${approvalId}`, access: "tenant" } as const;
    if (waitSeconds === undefined) return this.#transport.request(call, options);
    return this.#transport.request(
      { ...call, query: { wait_seconds: waitSeconds } },
      { timeoutMs: waitSeconds * 1_000 + MARGIN_MS, ...options },
    );
  }

  /** Waits until the approval is no longer pending. It stops being pending at its `expires_at` at the latest. */
  async waitFor(approvalId: string, options: RequestOptions = {}): Promise<Approval> {
    for (;;) {
      const approval = await this.get(approvalId, { ...options, waitSeconds: WAIT_SECONDS_MAX });
      if (approval.status !== "pending") return approval;
    }
  }

  /** @throws ConflictError if the approval is no longer pending. */
  approve(approvalId: string, body: DecideApprovalRequest = {}, options?: RequestOptions): ApiPromise<Approval> {
    const route = path`/approvals/${approvalId}/approve`;
    return this.#transport.request({ method: "POST", path: route, access: "tenant", body }, options);
  }

  /** @throws ConflictError if the approval is no longer pending. */
  deny(approvalId: string, body: DecideApprovalRequest = {}, options?: RequestOptions): ApiPromise<Approval> {
    const route = path`/approvals/${approvalId}/deny`;
    return this.#transport.request({ method: "POST", path: route, access: "tenant", body }, options);
  }
}
