import { AppError } from "../src/foundation/errors.ts";
import { callVendor, createResourceOnce } from "../src/operations/call-vendor.ts";
import { defineSaga } from "../src/operations/define-saga.ts";
import { databaseStep, REQUIRES_APPROVAL, type Saga, vendorStep } from "../src/operations/saga.ts";

/** A test vendor with one resource per operation, identified by the operation ID. */
export interface TestSagaVendor {
  find(operationId: string): Promise<string | undefined>;
  make(operationId: string): Promise<string>;
  destroy(operationId: string): Promise<void>;
}

interface DrillState {
  readonly operationId: string;
  readonly resourceId: string | null;
}

/**
 * Returns a minimal saga for tests. Its operations belong to no project. Its last step fails if `isRefused` returns
 * true. Its first step requires an approval if `needsApproval` returns true.
 */
export function testSaga(
  vendor: TestSagaVendor,
  {
    isRefused = () => false,
    needsApproval = () => false,
  }: { readonly isRefused?: () => boolean; readonly needsApproval?: () => boolean } = {},
): Saga {
  return defineSaga<DrillState>({
    type: "drill.run",
    readScope: "wallets:read",
    canRead: async (_db, { agentIds }, { subjectId }) => agentIds.includes(subjectId),
    load: async (_tx, _app, { operationId }) => ({ operationId, resourceId: null }),
    steps: [
      databaseStep("reserve", async () => (needsApproval() ? REQUIRES_APPROVAL : undefined), {
        undo: async () => true,
      }),
      vendorStep("skipped", async () => {}, { isNeeded: () => false }),
      vendorStep(
        "order",
        async (run, commit) => {
          const { operationId } = run.state;
          const resourceId = await callVendor(run, "order", (assertStillOwned) =>
            createResourceOnce(run, assertStillOwned, {
              vendor: "drill",
              find: () => vendor.find(operationId),
              create: () => vendor.make(operationId),
            }),
          );
          await commit(async () => ({ resourceId }));
        },
        {
          undo: async ({ state }) => {
            await vendor.destroy(state.operationId);
            return null;
          },
        },
      ),
      databaseStep("record", async () => {
        if (!isRefused()) return;
        throw new AppError("conflict", {
          detail: "The drill ends here.",
          decision: { available: "1.00", required: "2.50" },
          nextAction: { type: "add_funds", actor: "human" },
        });
      }),
    ],
    onFailed: async () => {},
  });
}
