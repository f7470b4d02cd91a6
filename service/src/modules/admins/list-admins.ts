import type { App } from "../../app.ts";
import type { AdminId } from "../../foundation/ids.ts";
import { withOperatorTransaction } from "./operators.ts";
import { selectAdmins } from "./queries.ts";

/** An admin, without credentials. */
export interface ListedAdmin {
  readonly adminId: AdminId;
  readonly email: string;
  readonly disabledAt: Date | null;
  readonly lastLoginAt: Date | null;
}

/** Returns all admins, sorted by email address. */
export async function listAdmins(app: Pick<App, "db">): Promise<ListedAdmin[]> {
  const admins = await withOperatorTransaction(app.db, selectAdmins);
  return admins.map(({ adminId, email, disabledAt, lastLoginAt }) => ({
    adminId,
    email,
    disabledAt,
    lastLoginAt,
  }));
}
