import { authenticatedOperation } from "./make-operations.ts";
import type { Operation } from "./operation.ts";

const read = (route: "entries" | "checkpoints" | "verify" | "export", query = "") =>
  authenticatedOperation(`GET /audit/${route}`, "tenant", 200, {
    method: "GET",
    path: `/audit/${route}${query}`,
  });

export const auditOperations: readonly Operation[] = [
  read("entries"),
  read("export", "?format=jsonl"),
  read("checkpoints"),
  read("verify"),
];
