import { accountOperations, endingOperations } from "./account-operations.ts";
import { adminOperations } from "./admin-operations.ts";
import { agentOperations } from "./agent-operations.ts";
import { operationNames } from "./api-document.ts";
import { approvalOperations } from "./approval-operations.ts";
import { fiatOperations } from "./fiat-operations.ts";
import { identityOperations } from "./identity-operations.ts";
import { keyOperations } from "./key-operations.ts";
import type { Operation } from "./operation.ts";
import { paymentOperations } from "./payment-operations.ts";
import { policyOperations } from "./policy-operations.ts";
import { projectOperations } from "./project-operations.ts";
import { row } from "./row.ts";
import { secondFactorOperations } from "./second-factor-operations.ts";
import { vendorWebhookOperations } from "./vendor-webhook-operations.ts";
import { walletOperations } from "./wallet-operations.ts";
import { webhookOperations } from "./webhook-operations.ts";

/** The operations whose calls need more than the OpenAPI document says, and those that must run in this order. */
const written: readonly Operation[] = [
  ...accountOperations,
  ...identityOperations,
  ...secondFactorOperations,
  ...keyOperations,
  ...agentOperations,
  ...walletOperations,
  ...paymentOperations,
  ...fiatOperations,
  ...projectOperations,
  ...approvalOperations,
  ...policyOperations,
  ...webhookOperations,
  row("GET /audit/export", { request: { path: "/audit/export?format=jsonl" } }),
  ...adminOperations,
  ...vendorWebhookOperations,
];

const hasRow = new Set([...written, ...endingOperations].map(({ name }) => name));
/** Reads without a row follow from the document alone. */
const others = operationNames.filter((name) => name.startsWith("GET ") && !hasRow.has(name)).map((name) => row(name));

/** Every operation of the OpenAPI document, in the order in which they are called. */
export const operations: readonly Operation[] = [...written, ...others, ...endingOperations];
