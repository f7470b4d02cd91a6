import { FREEZE_MODES, type FreezeMode, type FreezeReason, type FreezeSource } from "../../../foundation/vocabulary.ts";
import type { Wallet } from "../queries.ts";

/** What a caller asks for when freezing a wallet. */
export interface Freeze {
  readonly mode: FreezeMode;
  /** Who freezes the wallet, and can lift the freeze. A freeze by an admin always has the mode `full`. */
  readonly source: FreezeSource;
  readonly reason: FreezeReason;
  readonly note: string | null;
  readonly reference: string | null;
  /** When the freeze should be reviewed. It does not end then. */
  readonly expiresAt: Date | null;
}

type Strictness = Pick<Freeze, "mode" | "source">;

/** Sorted from the least strict to the strictest. */
const SOURCES = ["developer", "admin"] as const satisfies readonly FreezeSource[];

/**
 * Returns the source and the mode of the wallet after the freeze: of two freezes, the stricter source and the stricter
 * mode. Returns undefined if the wallet's own freeze is at least as strict, so that it remains as it is.
 */
export function combineFreezes(
  wallet: Pick<Wallet, "freezeMode" | "freezeSource">,
  { mode: requestedMode, source }: Strictness,
): Strictness | undefined {
  const mode = source === "admin" ? "full" : requestedMode;
  const { freezeMode, freezeSource } = wallet;
  if (freezeMode === null || freezeSource === null) return { mode, source };
  const combined = {
    mode: stricterOf(FREEZE_MODES, freezeMode, mode),
    source: stricterOf(SOURCES, freezeSource, source),
  };
  const isUnchanged = combined.mode === freezeMode && combined.source === freezeSource;
  return isUnchanged ? undefined : combined;
}

function stricterOf<Value>(order: readonly Value[], one: Value, other: Value): Value {
  return order.indexOf(one) > order.indexOf(other) ? one : other;
}
