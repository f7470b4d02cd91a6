import type { App } from "../../app.ts";
import { getPolicyRow, type Policy, type PolicyKey } from "./queries.ts";

/** Throws `policy_not_found`. */
export async function getPolicy(app: Pick<App, "db">, key: PolicyKey): Promise<Policy> {
  return getPolicyRow(app.db, key);
}
