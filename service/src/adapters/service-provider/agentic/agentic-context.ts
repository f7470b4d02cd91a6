import type { Clock } from "../../../foundation/clock.ts";
import type { ProviderAccess } from "../../../ports/service-provider.ts";
import { bearer, type VendorApi, type VendorClient, vendorApi } from "../../http-client/vendor-client.ts";
import type { AgenticCatalogFacts } from "./agentic-catalog.ts";
import { type AgenticService, API_VERSION } from "./agentic-wire.ts";

export const VERSION = { "api-version": API_VERSION };

/** A provider from the configuration. */
export interface AgenticProviderOptions extends AgenticCatalogFacts {
  /** The URL below which the provider serves the protocol, without a trailing slash. */
  readonly base_url: string;
  /** The URL of the metadata document that identifies this server to the provider. */
  readonly client_id: string;
  /** Hosts of the provider's consent page and dashboard, in addition to that of `base_url`. */
  readonly hosts?: readonly string[];
  readonly deep_links?: boolean;
  /** Whether the provider has `POST /oauth/revoke` (RFC 7009). */
  readonly revokes_tokens?: boolean;
  /** The operator's payment token, sent with paid plans that Purser bills. */
  readonly payment_token?: string;
  readonly clock: Clock;
  /** Timeout for one call in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
}

/** An open provider. */
export interface Agentic extends AgenticProviderOptions {
  readonly client: VendorClient;
  readonly requestClient: VendorClient;
  /** The calls that no account makes. */
  readonly api: VendorApi;
  /** Returns the provider's services. Reads them if this process has not read them yet. */
  readonly services: () => Promise<readonly AgenticService[]>;
}

/** The provider as the account with this token uses it. */
export interface AgenticAccount extends VendorApi {
  readonly agentic: Agentic;
}

export function accountOf(agentic: Agentic, { accessToken }: Pick<ProviderAccess, "accessToken">): AgenticAccount {
  return { agentic, ...vendorApi(agentic.client, { ...VERSION, ...bearer(accessToken) }) };
}
