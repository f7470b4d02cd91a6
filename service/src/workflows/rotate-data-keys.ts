import type { App } from "../app.ts";
import type { Position } from "../db/pages.ts";
import type { OldDataKey } from "../vault/queries.ts";
import { continueDataKeyRotations, startDataKeyRotations } from "../vault/rotate-data-keys.ts";
import { sealedColumns } from "./sealed-columns.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * Starts rotating the data keys that have reached the maximum age, and continues rotations that earlier runs started.
 */
export async function rotateDataKeys(
  app: Pick<App, "db" | "clock" | "log" | "settings" | "keyEncryptionKey" | "vaults">,
  position: Position<OldDataKey> = {},
): Promise<void> {
  const ageMs = app.settings.dataKeyAgeMaxDays * DAY_MS;
  const madeBefore = new Date(app.clock.now().getTime() - ageMs);
  try {
    await startDataKeyRotations(app, { madeBefore, position });
  } finally {
    await continueDataKeyRotations(app, sealedColumns);
  }
}
