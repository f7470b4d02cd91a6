import type { DueWork } from "../due-work/due-work.ts";
import { notifyGraceEndings } from "../modules/developers/keys/notify-grace-endings.ts";
import { advanceFiatAccounts } from "../modules/fiat/advance-account.ts";
import { advanceConversions } from "../modules/fiat/conversions/advance-conversion.ts";
import { revokeTokens } from "../modules/links/revocations/revoke-tokens.ts";
import { deliverNewEvents, retryDeliveries } from "../modules/webhooks/deliver-events.ts";
import { applyVendorEvents } from "./apply-vendor-events.ts";
import { watchNetworks } from "./networks/watch-network.ts";
import { sendOperatorTransactions } from "./operator-transactions/send-transactions.ts";
import { retireDueCredentials } from "./rotate-service/retire-credentials.ts";
import { sendOperations } from "./user-operations/send-operations.ts";

/** Every kind of due work. Each is a job of the workers. */
export const dueWork: readonly DueWork[] = [
  advanceConversions,
  advanceFiatAccounts,
  notifyGraceEndings,
  retireDueCredentials,
  revokeTokens,
  applyVendorEvents,
  sendOperations,
  sendOperatorTransactions,
  watchNetworks,
  deliverNewEvents,
  retryDeliveries,
];
