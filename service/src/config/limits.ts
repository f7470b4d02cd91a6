import { defaultSettings } from "../foundation/settings.ts";
import type { Reader } from "./reader.ts";

/** Reads the limits from environment variables. The local profile allows ten times as many signups by default. */
export function readLimits(read: Reader, profile: string) {
  const { keyBucket, failuresPerMinute, signupsPerHour } = defaultSettings;
  return {
    replayGuard: read.oneOf<"money" | "strict">("REPLAY_GUARD", ["money", "strict"], "money"),
    keyBucket: {
      capacity: read.whole("PURSER_KEY_BURST", keyBucket.capacity),
      refillPerSecond: read.whole("PURSER_KEY_REQUESTS_PER_SECOND", keyBucket.refillPerSecond),
    },
    failuresPerMinute: read.whole("PURSER_FAILURES_PER_MINUTE", failuresPerMinute),
    signupsPerHour: read.whole("PURSER_SIGNUPS_PER_HOUR", profile === "local" ? 10 * signupsPerHour : signupsPerHour),
    dataKeyAgeMaxDays: read.whole("PURSER_DATA_KEY_AGE_MAX_DAYS", defaultSettings.dataKeyAgeMaxDays),
    agentsMax: read.whole("PURSER_AGENTS_MAX", defaultSettings.agentsMax),
    killSwitchesPerHour: read.whole("PURSER_KILL_SWITCHES_PER_HOUR", defaultSettings.killSwitchesPerHour),
    fiatFeeBps: readFee(read),
    exemptLoopback: read.oneOf("PURSER_EXEMPT_LOOPBACK", ["no", "yes"], "no") === "yes",
  };
}

const FEE_BPS_MAX = 1_000;

function readFee(read: Reader): number {
  const name = "PURSER_FIAT_FEE_BPS";
  const feeBps = read.whole(name, defaultSettings.fiatFeeBps, 0);
  if (feeBps > FEE_BPS_MAX) read.report(`${name} is more than ${FEE_BPS_MAX}, which is 10 percent.`);
  return feeBps;
}
