import { createJsonRpcNetwork } from "../../adapters/evm-network/json-rpc-network.ts";
import { readApiKey } from "../../adapters/http-client/turnkey-api-key.ts";
import { checkSmtpServer } from "../../adapters/mailer/smtp-mailer.ts";
import type { App } from "../../app.ts";
import type { Config } from "../../config.ts";
import { type BlockchainNetwork, networkFactsOf } from "../../foundation/blockchain-networks.ts";
import { systemClock } from "../../foundation/clock.ts";
import { type KeyedProvider, MODES, type Mode } from "../../foundation/vocabulary.ts";
import type { ProviderCredentials } from "../../ports/provider-key-verifier.ts";
import { unlessMissing } from "../../ports/vendor-error.ts";
import { attempt, type Check, found } from "./check.ts";

/** With an older newest block, deposits stay pending. */
const BLOCK_AGE_MAX_SECONDS = 300;

/** The variables with a vendor's credentials, and a read without effect that throws if the vendor refuses them. */
type VendorRead = readonly [name: string, variables: string, read: () => Promise<unknown>];

export async function checkVendors(app: App, { smtpUrl, mailFrom }: Config): Promise<Check[]> {
  const reads: readonly VendorRead[] = [
    ["mail server", "SMTP_URL", () => checkSmtpServer({ url: smtpUrl, from: mailFrom })],
    ...MODES.flatMap((mode) => readsOfMode(app, mode)),
    ...walletReads(app),
  ];
  const checks = reads.map(([name, variables, read]) => {
    const subject = [name, `Check ${variables}, and that this machine can reach the server.`] as const;
    return attempt(subject, async () => {
      await read();
      return found(subject, true, `accepts ${variables}`);
    });
  });
  return (await Promise.all(checks)).flat();
}

function readsOfMode(app: App, mode: Mode): VendorRead[] {
  const [prefix, environment] = mode === "live" ? ["", "production"] : ["TEST_", "sandbox"];
  const [bridge, plaid] = [app.ramp.operatorKeys[mode], app.bankLink[mode]];
  // No charge and no login has this id. The vendors check the credentials first.
  const readCharge = () => unlessMissing(app.billing[mode].readCharge("ch_purserdoctor"));
  const noToken = `access-${environment}-00000000-0000-0000-0000-000000000000`;
  const reads: VendorRead[] = [[`Stripe, ${mode} mode`, `STRIPE_${prefix}SECRET_KEY`, readCharge]];
  if (bridge !== null) {
    const verify = () => verifyKeys(app, "bridge", { api_key: bridge }, mode);
    reads.push([`Bridge, ${mode} mode`, `BRIDGE_${prefix}API_KEY`, verify]);
  }
  if (plaid !== null) {
    const readItem = () => unlessMissing(plaid.readItem(noToken));
    reads.push([`Plaid, ${mode} mode`, `PLAID_CLIENT_ID and PLAID_${prefix}SECRET`, readItem]);
  }
  return reads;
}

function walletReads(app: App): VendorRead[] {
  const { turnkeyOperatorKeys: turnkey } = app.walletSigners;
  const { operatorKey: pimlico } = app.bundlers;
  const reads: VendorRead[] = [];
  if (pimlico !== null) {
    const credentials = { api_key: pimlico, chains: app.settings.walletNetworks };
    reads.push(["Pimlico", "PIMLICO_API_KEY", () => verifyKeys(app, "pimlico", credentials, "live")]);
  }
  if (turnkey !== null) {
    const publicKey = readApiKey(String(turnkey["api_private_key"]))?.publicKey ?? "";
    const verify = () => verifyKeys(app, "turnkey", { ...turnkey, api_public_key: publicKey }, "live");
    reads.push(["Turnkey", "TURNKEY_ORGANIZATION_ID and TURNKEY_API_PRIVATE_KEY", verify]);
  }
  return reads;
}

async function verifyKeys(app: App, provider: KeyedProvider, credentials: ProviderCredentials, mode: Mode) {
  const result = await app.providerKeyVerifiers.get(provider)?.verify(credentials, mode);
  if (result?.status !== "verified") throw new Error(result?.detail ?? `${provider} cannot be checked`);
}

/** Checks each node of each network: its chain, and the age of its newest block. */
export async function checkNodes({ rpcUrls, timeouts }: Config): Promise<Check[]> {
  const checks = [...rpcUrls].flatMap(([network, urls]) => urls.map((url) => checkNode(network, url, timeouts.rpcMs)));
  return (await Promise.all(checks)).flat();
}

async function checkNode(network: BlockchainNetwork, url: string, timeoutMs: number): Promise<Check[]> {
  const chainId = networkFactsOf(network).evmChainId;
  const fix = `Let PURSER_RPC_URLS name a node of ${network}, chain ${chainId}, that runs and has the newest blocks.`;
  const subject = [`node of ${network}, ${new URL(url).host}`, fix] as const;
  let wrong: bigint | undefined;
  const onWrongChain = (id: bigint) => {
    wrong = id;
  };
  const node = createJsonRpcNetwork({ network, urls: [url], timeoutMs, clock: systemClock, onWrongChain });
  const checks = await attempt(subject, async () => {
    const block = await node.readBlock("latest");
    const ageSeconds = Math.round(Date.now() / 1_000 - (block?.timeSeconds ?? 0));
    return found(subject, ageSeconds <= BLOCK_AGE_MAX_SECONDS, `block ${block?.number} is ${ageSeconds} s old`);
  });
  return wrong === undefined ? checks : [found(subject, false, `belongs to chain ${wrong}`)];
}
