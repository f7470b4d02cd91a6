import { type Route, withTag } from "../route.ts";
import { adminRoutes } from "./admin/index.ts";
import { agentRoutes } from "./agents/index.ts";
import { approvalRoutes } from "./approvals/index.ts";
import { auditRoutes } from "./audit/index.ts";
import { developerRoutes } from "./developers/index.ts";
import { fiatRoutes } from "./fiat/index.ts";
import { killSwitchRoutes } from "./kill-switches/index.ts";
import { getLimitsRoute, getTimeRoute } from "./limits.ts";
import { operationRoutes } from "./operations/index.ts";
import { pageRoutes } from "./pages/index.ts";
import { paymentRoutes } from "./payments/index.ts";
import { policyRoutes } from "./policies/index.ts";
import { projectRoutes } from "./projects/index.ts";
import { providerKeyRoutes } from "./provider-keys/index.ts";
import { receiveVendorWebhookRoute } from "./vendor-webhooks/receive-vendor-webhook.ts";
import { walletRoutes } from "./wallets/index.ts";

export const routes: readonly Route[] = [
  ...developerRoutes,
  ...providerKeyRoutes,
  ...projectRoutes,
  ...policyRoutes,
  ...agentRoutes,
  ...walletRoutes,
  ...paymentRoutes,
  ...fiatRoutes,
  ...operationRoutes,
  ...approvalRoutes,
  ...killSwitchRoutes,
  ...auditRoutes,
  ...withTag("Limits", [getTimeRoute, getLimitsRoute]),
  ...adminRoutes,
  ...withTag("Vendor webhooks", [receiveVendorWebhookRoute]),
  ...pageRoutes,
];
