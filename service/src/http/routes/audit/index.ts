import { type Route, withTag } from "../../route.ts";
import { exportChainRoute } from "./export-chain.ts";
import { listCheckpointsRoute } from "./list-checkpoints.ts";
import { listEntriesRoute } from "./list-entries.ts";
import { verifyAuditRoute } from "./verify-audit.ts";

export const auditRoutes: readonly Route[] = withTag("Audit", [
  listEntriesRoute,
  exportChainRoute,
  listCheckpointsRoute,
  verifyAuditRoute,
]);
