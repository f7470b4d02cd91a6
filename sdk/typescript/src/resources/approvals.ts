import { Approvals as GeneratedApprovals } from "../api-resources.ts";
import type { Approval } from "../api-types.ts";
import type { RequestOptions } from "../transport.ts";

const WAIT_SECONDS_MAX = 30;

export class Approvals extends GeneratedApprovals {
  /** Waits until the approval is no longer pending. It stops being pending at its `expires_at` at the latest. */
  async waitFor(approvalId: string, options: RequestOptions = {}): Promise<Approval> {
    for (;;) {
      const approval = await this.get(approvalId, { wait_seconds: WAIT_SECONDS_MAX }, options);
      if (approval.status !== "pending") return approval;
    }
  }
}
