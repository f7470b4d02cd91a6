import { readFile } from "node:fs/promises";
import { withClient } from "./backup.ts";
import type { Acknowledged, Load } from "./load.ts";

/** What clients know to be done, and the restored database does not have. */
interface Lost {
  readonly answers: readonly Acknowledged[];
  readonly services: readonly Acknowledged[];
  readonly livePayments: readonly Acknowledged[];
}

/** Finds what is lost. Throws if something is lost that was acknowledged before the point. */
export async function findLost(superuserUrl: string, load: Load, point: Date): Promise<Lost> {
  const idsOf = (statement: string) =>
    withClient(superuserUrl, async (client) => {
      const { rows } = await client.query<{ id: string }>(statement);
      return new Set(rows.map(({ id }) => id));
    });
  const without = async (acknowledged: readonly Acknowledged[], statement: string) => {
    const known = await idsOf(statement);
    return acknowledged.filter(({ id }) => !known.has(id));
  };
  const lost = {
    answers: await without(load.answers, "select idempotency_key as id from idempotency_records"),
    services: await without(load.services, "select service_id as id from services"),
    livePayments: await without(load.livePayments, "select payment_id as id from payments"),
  };
  const early = Object.values(lost).flatMap((each) => each.filter(({ atMs }) => atMs < point.getTime()));
  if (early.length > 0) throw new Error(`Lost, although from before the point: ${JSON.stringify(early)}`);
  return lost;
}

/** A chain whose anchor has more entries than the database. */
export interface Behind {
  readonly tenantId: string;
  readonly entries: number;
  readonly anchored: number;
}

/** Returns these chains, from the anchor's file and the database alone. */
export async function findBehind(superuserUrl: string, anchorFile: string): Promise<readonly Behind[]> {
  const newest = new Map<string, number>();
  for (const line of (await readFile(anchorFile, "utf8")).split("\n").filter(Boolean)) {
    const { tenantId, chain, sequence } = JSON.parse(line);
    const key = `${tenantId} ${chain}`;
    newest.set(key, Math.max(newest.get(key) ?? 0, sequence));
  }
  const { rows } = await withClient(superuserUrl, (client) =>
    client.query<{ tenant_id: string; chain: string; sequence: number }>(
      "select tenant_id, chain, sequence::integer from audit_heads",
    ),
  );
  return rows.flatMap(({ tenant_id: tenantId, chain, sequence: entries }) => {
    const anchored = newest.get(`${tenantId} ${chain}`) ?? 0;
    return anchored > entries ? [{ tenantId, entries, anchored }] : [];
  });
}
