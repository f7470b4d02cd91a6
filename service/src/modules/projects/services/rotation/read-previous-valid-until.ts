import type { Tx } from "../../../../db/database.ts";
import { getServiceById, type ServiceKey } from "../queries.ts";

/** Returns when the service's former credential is retired, or null if it is not valid any more. */
export async function readPreviousValidUntil(tx: Tx, key: ServiceKey): Promise<Date | null> {
  return (await getServiceById(tx, key)).credentialPreviousValidUntil;
}
