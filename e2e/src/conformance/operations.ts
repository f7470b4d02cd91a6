import { accountOperations, endingOperations } from "./account-operations.ts";
import { adminOperations } from "./admin-operations.ts";
import { agentOperations } from "./agent-operations.ts";
import { approvalOperations } from "./approval-operations.ts";
import { auditOperations } from "./audit-operations.ts";
import { fiatOperations } from "./fiat-operations.ts";
import { identityOperations } from "./identity-operations.ts";
import { keyOperations } from "./key-operations.ts";
import type { Operation } from "./operation.ts";
import { paymentOperations } from "./payment-operations.ts";
import { policyOperations } from "./policy-operations.ts";
import { projectOperations } from "./project-operations.ts";
import { providerKeyOperations } from "./provider-key-operations.ts";
import { secondFactorOperations } from "./second-factor-operations.ts";
import { vendorWebhookOperations } from "./vendor-webhook-operations.ts";
import { walletOperations } from "./wallet-operations.ts";

/** Every operation of the OpenAPI document, in the order in which they are called. */
export const operations: readonly Operation[] = [
  ...accountOperations,
  ...identityOperations,
  ...secondFactorOperations,
  ...keyOperations,
  ...providerKeyOperations,
  ...agentOperations,
  ...walletOperations,
  ...paymentOperations,
  ...fiatOperations,
  ...projectOperations,
  ...approvalOperations,
  ...policyOperations,
  ...auditOperations,
  ...adminOperations,
  ...vendorWebhookOperations,
  ...endingOperations,
];
