/** A calendar month in UTC. Caps apply per month. `end` is exclusive. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
}

/** The totals of a project's charges in one period. */
export interface Usage {
  readonly period: Period;
  readonly spentCents: bigint;
  readonly reservedCents: bigint;
}

/**
 * Statuses of charges that count as spent. A disputed charge counts until the dispute is lost. A refunded charge does
 * not count; a partial refund is a separate charge with a negative amount.
 */
export const SPENT_STATUSES = ["pending", "succeeded", "disputed"] as const;

export function periodOf(now: Date): Period {
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}

/** Returns the part of the cap that is neither spent nor reserved. Zero if the cap is exceeded. */
export function remainingCents(capCents: bigint, { spentCents, reservedCents }: Usage): bigint {
  const remaining = capCents - spentCents - reservedCents;
  return remaining > 0n ? remaining : 0n;
}

/**
 * Returns the percentage of the cap that is spent or reserved. It is truncated to one decimal, so 100 is returned only
 * if the cap has been reached.
 */
export function percentUsed(capCents: bigint, { spentCents, reservedCents }: Usage): number {
  if (capCents === 0n) return 100;
  const permille = ((spentCents + reservedCents) * 1000n) / capCents;
  return permille > 0n ? Number(permille) / 10 : 0;
}

/** Returns the expected spending at the end of the period, a linear extrapolation of the spending so far. */
export function forecastCents({ period, spentCents }: Usage, now: Date): bigint {
  const elapsedMs = BigInt(now.getTime() - period.start.getTime());
  const lengthMs = BigInt(period.end.getTime() - period.start.getTime());
  if (spentCents <= 0n || elapsedMs <= 0n) return spentCents;
  return (spentCents * lengthMs) / elapsedMs;
}
