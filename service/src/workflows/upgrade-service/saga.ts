import { UPGRADE_SERVICE } from "../../modules/services/operation-types.ts";
import {
  escalatePlanChange,
  failPlanChange,
  finishPlanChange,
} from "../../modules/services/plan-change/finish-plan-change.ts";
import { loadPlanChange, type PlanChange } from "../../modules/services/plan-change/plan-change.ts";
import { releasePlanChange } from "../../modules/services/plan-change/reserve-plan-change.ts";
import { defineSaga } from "../../operations/define-saga.ts";
import { databaseStep, vendorStep } from "../../operations/saga.ts";
import { openVault } from "../../vault/open-vault.ts";
import { setUpPayment } from "../add-service/set-up-payment.ts";
import { canReadProject } from "../can-read-project.ts";
import { changeAtProvider, changeBack } from "./change-at-provider.ts";
import { checkPlanChange } from "./check-plan-change.ts";

/**
 * Changes the plan of a service. If the saga is undone, the service has its former plan at the provider, and nothing is
 * reserved for the new one. A change at the next turn of the month is only stored; the saga runs again at that turn.
 */
export const upgradeServiceSaga = defineSaga<PlanChange>({
  type: UPGRADE_SERVICE,
  readScope: "projects:read",
  canRead: canReadProject,
  // The policy step encrypts an email, and a transaction must not call the key management service.
  prepare: async (app, { tenantId }) => void (await openVault(app, tenantId)),
  load: (tx, _app, operation) => loadPlanChange(tx, operation),
  steps: [
    databaseStep("policy", checkPlanChange, {
      undo: (tx, { app, state }) => releasePlanChange(tx, app, state),
    }),
    vendorStep("payment_setup", setUpPayment, { isNeeded: ({ payment }) => payment !== null }),
    vendorStep("provider_plan_change", changeAtProvider, {
      isNeeded: ({ timing }) => timing !== "scheduled",
      undo: changeBack,
    }),
    // The "audit" step writes the service's row.
    databaseStep("service_record"),
    databaseStep("audit", (tx, { app, actor, state }) => finishPlanChange(tx, app, actor, state)),
  ],
  onFailed: (tx, { app, actor, state }, { error: { code } }) => failPlanChange(tx, app, actor, { change: state, code }),
  onEscalated: escalatePlanChange,
});
