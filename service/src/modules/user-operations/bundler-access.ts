import type { App } from "../../app.ts";
import { type BlockchainNetwork, blockchainNetworkOf } from "../../foundation/blockchain-networks.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { Bundler } from "../../ports/bundler.ts";
import { openProviderCredentials, providerNotConfigured } from "../provider-keys/provider-keys.ts";

const PROVIDER = { mode: "live", provider: "pimlico" } as const;

/**
 * Opens the bundler of a network with the developer's own keys, or with the operator's if the developer has none or names other
 * networks in `chains`. Throws `provider_not_configured`.
 */
export async function openBundler(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults" | "bundlers">,
  tenantId: TenantId,
  network: BlockchainNetwork,
): Promise<Bundler> {
  const own = await openProviderCredentials(app, { ...PROVIDER, tenantId });
  const chains = [own?.["chains"] ?? []].flat();
  const isForNetwork = chains.length === 0 || chains.some((chain) => blockchainNetworkOf(chain) === network);
  const key = isForNetwork ? own?.["api_key"] : undefined;
  const apiKey = typeof key === "string" ? key : app.bundlers.operatorKey;
  if (apiKey === null) throw providerNotConfigured(PROVIDER.provider, PROVIDER.mode);
  return app.bundlers.open({ network, apiKey });
}

/** Throws `provider_not_configured` if neither the developer nor the operator has keys of a bundler for the network. */
export async function requireBundlerKeys(
  app: Parameters<typeof openBundler>[0],
  tenantId: TenantId,
  network: BlockchainNetwork,
): Promise<void> {
  if (app.bundlers.operatorKey === null) await openBundler(app, tenantId, network);
}
