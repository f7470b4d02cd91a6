import { type UsdMicros, usdMicros } from "../../foundation/money.ts";

/** A calendar month in UTC. Caps apply per month. `end` is exclusive. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
}

/** The amounts that count against a project's cap in one period. */
export interface Usage {
  readonly period: Period;
  readonly spentMicros: UsdMicros;
  readonly reservedMicros: UsdMicros;
}

export function periodOf(now: Date): Period {
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}

/** Returns the amount that is spent or reserved. */
export function usedMicros({ spentMicros, reservedMicros }: Usage): UsdMicros {
  return usdMicros(spentMicros + reservedMicros);
}

/** Returns the part of the cap that is neither spent nor reserved. Zero if the cap is exceeded. */
export function remainingMicros(capMicros: UsdMicros, usage: Usage): UsdMicros {
  const remaining = capMicros - usedMicros(usage);
  return usdMicros(remaining > 0n ? remaining : 0n);
}

/**
 * Returns the percentage of the cap that is spent or reserved. It is truncated to one decimal, so 100 is returned only
 * if the cap has been reached.
 */
export function percentUsed(capMicros: UsdMicros, usage: Usage): number {
  if (capMicros === 0n) return 100;
  const permille = (usedMicros(usage) * 1000n) / capMicros;
  return permille > 0n ? Number(permille) / 10 : 0;
}
