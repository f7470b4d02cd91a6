import { sql } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import { inTurns } from "../../../db/pages.ts";
import type { Row } from "../../../db/schema.ts";
import { tableOf } from "../../../db/table.ts";
import { rowsWhere, selectWhere, updateWhere } from "../../../db/where.ts";
import type { ApiKeyId, TenantId } from "../../../foundation/ids.ts";

export const deviceLoginRows = tableOf("deviceAuthorizations", ["deviceCodeHash"]);

/** A device login. The type leaves out the encrypted key pair, so that no code presents or logs it. */
export type DeviceLogin = Omit<Row<"deviceAuthorizations">, "pairSealed" | "pairSealedUnder">;

/** An approved login has an owner and a key. */
interface UncollectedLogin extends Pick<DeviceLogin, "deviceCodeHash" | "expiresAt"> {
  readonly tenantId: TenantId;
  readonly keyId: ApiKeyId;
}

export async function findPendingDeviceLogin(db: Db, userCodeHash: string, at: Date): Promise<DeviceLogin | undefined> {
  return rowsWhere(db, "deviceAuthorizations", { userCodeHash, status: "pending" })
    .where("expiresAt", ">", at)
    .executeTakeFirst();
}

type Decision =
  | {
      readonly status: "approved";
      readonly tenantId: TenantId;
      readonly keyId: ApiKeyId;
      readonly pairSealed: Buffer;
    }
  | { readonly status: "denied"; readonly tenantId: TenantId };

export async function decideDeviceLogin(
  tx: Tx,
  { deviceCodeHash, at, decision }: { readonly deviceCodeHash: string; readonly at: Date; readonly decision: Decision },
): Promise<boolean> {
  const decided = await updateWhere(tx, "deviceAuthorizations", { deviceCodeHash, status: "pending" })
    .set(decision)
    .where("expiresAt", ">", at)
    .returning("deviceCodeHash")
    .executeTakeFirst();
  return decided !== undefined;
}

/** Returns false, and records nothing, if the poll is more than `toleranceSeconds` too early. */
export async function recordPoll(
  tx: Tx,
  {
    deviceCodeHash,
    at,
    toleranceSeconds,
  }: { readonly deviceCodeHash: string; readonly at: Date; readonly toleranceSeconds: number },
): Promise<boolean> {
  const due = sql<Date>`last_polled_at + make_interval(secs => poll_interval_seconds - ${toleranceSeconds}::integer)`;
  const noted = await updateWhere(tx, "deviceAuthorizations", { deviceCodeHash })
    .set({ lastPolledAt: at })
    .where((login) => login.or([login("lastPolledAt", "is", null), login(due, "<=", at)]))
    .returning("deviceCodeHash")
    .executeTakeFirst();
  return noted !== undefined;
}

export async function increasePollInterval(
  tx: Tx,
  {
    deviceCodeHash,
    bySeconds,
    secondsMax,
  }: { readonly deviceCodeHash: string; readonly bySeconds: number; readonly secondsMax: number },
): Promise<void> {
  await updateWhere(tx, "deviceAuthorizations", { deviceCodeHash })
    .set({
      pollIntervalSeconds: sql`least(poll_interval_seconds + ${bySeconds}::integer, ${secondsMax}::integer)`,
    })
    .execute();
}

export async function denyPendingPairs(tx: Tx, tenantId: TenantId): Promise<ApiKeyId[]> {
  const denied = await updateWhere(tx, "deviceAuthorizations", { tenantId, status: "approved" })
    .set({ status: "denied", pairSealed: null })
    .returning("keyId")
    .execute();
  return denied.flatMap(({ keyId }) => keyId ?? []);
}

/** Yields the approved logins of all tenants that expired at or before `at` and whose key pairs were never collected. */
export function uncollectedLogins(db: Db, at: Date): AsyncGenerator<UncollectedLogin> {
  return inTurns<UncollectedLogin>(db, ["expiresAt", "deviceCodeHash"], () =>
    selectWhere(db, "deviceAuthorizations", { status: "approved" })
      .select(["deviceCodeHash", "tenantId", "keyId", "expiresAt"])
      .where("expiresAt", "<=", at)
      .$narrowType<{ tenantId: TenantId; keyId: ApiKeyId }>(),
  );
}
