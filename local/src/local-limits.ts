import { readAuditAnchor } from "@purser/service/config/audit-anchor.ts";
import { readLimits } from "@purser/service/config/limits.ts";
import { readConfirmations, readWalletSigner } from "@purser/service/config/networks.ts";
import { createReader, type Environment } from "@purser/service/config/reader.ts";
import { readTimeouts, TIMEOUT_NAMES } from "@purser/service/config/timeouts.ts";
import { StartError } from "./start-error.ts";

/** Anvil's eighth key, which is public. It has coin on the local networks, and no role. */
const LOCAL_ANCHOR_KEY = "0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356";

/**
 * The environment variables that are read. All others are ignored, because the user's environment may contain URLs and
 * keys of a different Purser installation.
 */
const NAMES = [
  "REPLAY_GUARD",
  "PURSER_ANCHOR_KEY",
  "PURSER_AUDIT_ANCHOR_EVM",
  "PURSER_CAPTCHA",
  "PURSER_CONFIRMATIONS",
  "PURSER_DATA_KEY_AGE_MAX_DAYS",
  "PURSER_EXEMPT_LOOPBACK",
  "PURSER_FAILURES_PER_MINUTE",
  "PURSER_KEY_BURST",
  "PURSER_KEY_REQUESTS_PER_SECOND",
  "PURSER_SIGNUPS_PER_HOUR",
  "PURSER_WALLET_SIGNER",
  ...TIMEOUT_NAMES,
];

/** Returns the limits, timeouts, signer and audit anchor that the environment sets. Throws StartError with a list of the invalid ones. */
export function readLocalLimits(environment: Environment): Environment {
  const limits: Environment = {
    ...(environment["PURSER_AUDIT_ANCHOR_EVM"] && { PURSER_ANCHOR_KEY: LOCAL_ANCHOR_KEY }),
    ...Object.fromEntries(NAMES.filter((name) => environment[name]).map((name) => [name, environment[name]])),
  };
  const problems: string[] = [];
  const read = createReader(limits, problems);
  readLimits(read, "local");
  readTimeouts(read);
  readConfirmations(read, "local");
  readWalletSigner(read);
  if (limits["PURSER_AUDIT_ANCHOR_EVM"]) readAuditAnchor(read);
  if (problems.length > 0) throw new StartError(problems.join("\n"));
  return limits;
}
