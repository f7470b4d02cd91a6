import { createPrivateKey, createPublicKey } from "node:crypto";
import { isLoopbackAddress } from "../foundation/networks.ts";
import { defaultSettings } from "../foundation/settings.ts";
import type { Reader } from "./reader.ts";

/** Returns a function that returns true for a URL with one of these protocols, such as `https:`. */
export function isUrlOf(...protocols: readonly string[]): (text: string) => boolean {
  return (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

/** Returns true for an HTTP or HTTPS URL without credentials, query or fragment, so that a path can be appended. */
export function isPlainUrl(text: string): boolean {
  if (!isUrlOf("http:", "https:")(text) || /[?#]/.test(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

export function isSameUrl(one: string, other: string): boolean {
  return new URL(one).href === new URL(other).href;
}

/** Unspecified addresses. A connection to one of them reaches the local machine. */
const UNSPECIFIED = new Set(["0.0.0.0", "::"]);

export function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const host = new URL(text).hostname.toLowerCase().replace(/\.$/, "");
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  const address = host.replace(/^\[|\]$/g, "");
  return isLoopbackAddress(address) || UNSPECIFIED.has(address);
}

export function isEd25519Key(pem: string): boolean {
  return isKeyType(() => createPrivateKey(pem).asymmetricKeyType);
}

/**
 * Returns true for an Ed25519 public key in SPKI PEM. Rejects private keys, although `createPublicKey` accepts them.
 */
export function isEd25519PublicKey(pem: string): boolean {
  return !pem.includes("PRIVATE") && isKeyType(() => createPublicKey(pem).asymmetricKeyType);
}

function isKeyType(read: () => string | undefined): boolean {
  try {
    return read() === "ed25519";
  } catch {
    return false;
  }
}

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
