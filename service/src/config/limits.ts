import { defaultSettings, type Settings } from "../foundation/settings.ts";
import type { Reader } from "./reader.ts";

type Limits = Pick<
  Settings,
  | "replayGuard"
  | "keyBucket"
  | "failuresPerMinute"
  | "signupsPerHour"
  | "dataKeyAgeMaxDays"
  | "storeTimeoutMs"
  | "syncWaitMs"
  | "vendorRetryMs"
  | "vendorSettleMs"
>;

/** How much, how often and how long: what every profile takes from the environment, the local one that `npm start` runs too. */
export function readLimits(read: Reader, profile: string): Limits {
  const { keyBucket, failuresPerMinute, signupsPerHour, storeTimeoutMs, syncWaitMs } =
    defaultSettings;
  return {
    replayGuard: read.oneOf("REPLAY_GUARD", ["money", "strict"], "money"),
    keyBucket: {
      capacity: read.whole("PURSER_KEY_BURST", keyBucket.capacity),
      refillPerSecond: read.whole("PURSER_KEY_REQUESTS_PER_SECOND", keyBucket.refillPerSecond),
    },
    failuresPerMinute: read.whole("PURSER_FAILURES_PER_MINUTE", failuresPerMinute),
    signupsPerHour: read.whole(
      "PURSER_SIGNUPS_PER_HOUR",
      profile === "local" ? 10 * signupsPerHour : signupsPerHour,
    ),
    dataKeyAgeMaxDays: read.whole(
      "PURSER_DATA_KEY_AGE_MAX_DAYS",
      defaultSettings.dataKeyAgeMaxDays,
    ),
    storeTimeoutMs: read.whole("PURSER_STORE_TIMEOUT_MS", storeTimeoutMs),
    syncWaitMs: read.whole("PURSER_SYNC_WAIT_MS", syncWaitMs),
    vendorRetryMs: read.whole("PURSER_VENDOR_RETRY_MS", defaultSettings.vendorRetryMs),
    vendorSettleMs: read.whole("PURSER_VENDOR_SETTLE_MS", defaultSettings.vendorSettleMs),
  };
}
