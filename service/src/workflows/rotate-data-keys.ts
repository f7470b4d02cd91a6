import type { App } from "../app.ts";
import { beginDataKeyRotations, continueDataKeyRotations } from "../vault/rotate-data-keys.ts";
import { sealedColumns } from "./sealed-columns.ts";

const DAY_MS = 24 * 3_600_000;

/** Gives each tenant whose data key has come of age another one, and carries on what earlier runs have begun. */
export async function rotateDataKeys(
  app: Pick<App, "db" | "clock" | "log" | "settings" | "keyEncryptionKey" | "vaults">,
): Promise<void> {
  const ageMs = app.settings.dataKeyAgeMaxDays * DAY_MS;
  await beginDataKeyRotations(app, { madeBefore: new Date(app.clock.now().getTime() - ageMs) });
  await continueDataKeyRotations(app, sealedColumns);
}
