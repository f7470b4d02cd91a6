import { Approvals as GeneratedApprovals } from "../api-resources.ts";
import type { Approval } from "../api-types.ts";
import type { RequestOptions } from "../transport.ts";

const WAIT_SECONDS_MAX = 30;

export interface WaitForApprovalOptions extends RequestOptions {
  /** The maximum total waiting time in milliseconds. Default: until the approval's `expires_at`. */
  readonly deadlineMs?: number | undefined;
}

export class Approvals extends GeneratedApprovals {
  /**
   * Waits until the approval is no longer pending, and returns it. It stops being pending at its `expires_at` at the latest.
   * After `deadlineMs`, returns the approval as it is: its status can still be `pending`.
   */
  async waitFor(
    approvalId: string,
    { deadlineMs = Number.POSITIVE_INFINITY, ...options }: WaitForApprovalOptions = {},
  ): Promise<Approval> {
    const deadlineAtMs = this.transport().nowMs() + deadlineMs;
    for (;;) {
      const secondsLeft = Math.max(0, Math.ceil((deadlineAtMs - this.transport().nowMs()) / 1_000));
      const query = { wait_seconds: Math.min(secondsLeft, WAIT_SECONDS_MAX) };
      const approval = await this.get(approvalId, query, options);
      if (approval.status !== "pending" || this.transport().nowMs() >= deadlineAtMs) return approval;
    }
  }
}
