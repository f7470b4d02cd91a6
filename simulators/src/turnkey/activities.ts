import { createHash } from "node:crypto";
import type { VendorContext, VendorRequest, VendorResponse } from "../kit/vendor-simulator.ts";
import { callerOf } from "./organizations.ts";
import { turnkeyError } from "./turnkey-errors.ts";

/** A request that creates or uses something. Its state is the end of its status, such as `COMPLETED`. */
interface Activity {
  readonly organizationId: string;
  readonly type: string;
  readonly fingerprint: string;
  readonly intent: object;
  /** Shown when the activity is completed. */
  readonly result: object;
  readonly failure: string | null;
}

/** Why an activity has failed. */
export class ActivityFailure extends Error {}

interface NewActivity {
  readonly type: string;
  readonly intent: object;
  /** Whether another user must approve it. */
  readonly needsApproval: boolean;
  /** Returns the result. Throws `ActivityFailure` if the activity fails. */
  execute(): Promise<object>;
}

/**
 * Executes an activity, and answers with it. The same body is the same activity, which is not executed again
 * (https://docs.turnkey.com/api-reference/activities/overview).
 */
export async function runActivity(
  request: VendorRequest,
  context: VendorContext,
  { type, intent, needsApproval, execute }: NewActivity,
): Promise<VendorResponse> {
  const { organizationId } = callerOf(request);
  const digest = createHash("sha256").update(request.rawBody).digest("hex");
  const id = digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
  const begun = { organizationId, type, fingerprint: `sha256:${digest}`, intent, result: {}, failure: null };
  if (await context.objects.insert({ type: "activity", id, state: "PENDING", data: begun })) {
    const ended = await execute().then(
      (result) => ({ state: needsApproval ? "CONSENSUS_NEEDED" : "COMPLETED", data: { ...begun, result } }),
      (error: unknown) => {
        if (!(error instanceof ActivityFailure)) throw error;
        return { state: "FAILED", data: { ...begun, failure: error.message } };
      },
    );
    await context.objects.update("activity", id, ended);
  }
  return presentActivity(request, context, id);
}

/** Answers with an activity of the caller's organization as it is now. */
export async function presentActivity(
  request: VendorRequest,
  { objects }: VendorContext,
  id: string,
): Promise<VendorResponse> {
  const found = await objects.find<Activity>("activity", id);
  if (found?.data.organizationId !== callerOf(request).organizationId) {
    return turnkeyError("NOT_FOUND", `activity ${id} not found`);
  }
  const { state, createdAt, data } = found;
  const { result, failure, ...begun } = data;
  const time = { seconds: String(Math.floor(createdAt.getTime() / 1_000)), nanos: "0" };
  const activity = {
    ...{ ...begun, id, status: `ACTIVITY_STATUS_${state}`, votes: [], result: state === "COMPLETED" ? result : {} },
    ...{ canApprove: false, canReject: false, createdAt: time, updatedAt: time },
    ...(failure !== null && { failure: { code: 3, message: failure, details: [] } }),
  };
  return { status: 200, body: { activity } };
}

/** Approves, as another user of the organization, the activities that wait for it. */
export async function approveActivities({ objects }: Pick<VendorContext, "objects">): Promise<void> {
  for (const { id } of await objects.list("activity")) {
    await objects.claim("activity", id, "CONSENSUS_NEEDED", "COMPLETED");
  }
}
