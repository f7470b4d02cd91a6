/** The calendar month in UTC that caps are counted in: from `start` up to, and without, `end`. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
}

/** What a project's charges of one period come to, in cents. */
export interface Usage {
  readonly period: Period;
  readonly spentCents: bigint;
  readonly reservedCents: bigint;
}

/**
 * Charges that count as spent. A disputed one does until the dispute is lost; a refunded one no longer does, and a refund
 * in part is a charge of its own with a negative amount.
 */
export const SPENT_STATUSES = ["pending", "succeeded", "disputed"] as const;

export function periodOf(now: Date): Period {
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}

/** What the cap still lets be charged. Never below zero: a cap may be set below what is spent. */
export function remainingCents(capCents: bigint, { spentCents, reservedCents }: Usage): bigint {
  const remaining = capCents - spentCents - reservedCents;
  return remaining > 0n ? remaining : 0n;
}

/** Per cent of the cap that is spent or reserved, cut to one decimal, so that 100 is only said of a cap that is reached. */
export function percentUsed(capCents: bigint, { spentCents, reservedCents }: Usage): number {
  if (capCents === 0n) return 100;
  const permille = ((spentCents + reservedCents) * 1000n) / capCents;
  return permille > 0n ? Number(permille) / 10 : 0;
}

/** What will be spent by the end of the period if it goes on as it has so far. */
export function forecastCents({ period, spentCents }: Usage, now: Date): bigint {
  const elapsedMs = BigInt(now.getTime() - period.start.getTime());
  const lengthMs = BigInt(period.end.getTime() - period.start.getTime());
  if (spentCents <= 0n || elapsedMs <= 0n) return spentCents;
  return (spentCents * lengthMs) / elapsedMs;
}
