import type { Actor } from "../../audit/append.ts";
import type { Db, Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { type AdminId, OPERATOR_TENANT } from "../../foundation/ids.ts";
import type { Visitor } from "../../foundation/visitor.ts";

/** A transaction among the operators' own rows, which no developer's transaction sees. */
export function asOperators<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return withTransaction(db, OPERATOR_TENANT, work);
}

/** An admin in the operators' own trail. They have no mode; their entries stand with the live ones. */
export function adminActor({ network, requestId }: Omit<Visitor, "userAgent">, id: AdminId): Actor {
  const actor = { type: "admin", id, key_id: null, ip: network } as const;
  return { tenantId: OPERATOR_TENANT, mode: "live", actor, requestId };
}

/** Whoever runs commands on the machine itself. */
export function systemActor(id: string): Actor {
  const actor = { type: "system", id, key_id: null, ip: null } as const;
  return { tenantId: OPERATOR_TENANT, mode: "live", actor, requestId: null };
}
