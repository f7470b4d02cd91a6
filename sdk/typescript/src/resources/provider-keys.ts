import type { ApiPromise } from "../api-promise.ts";
import type { ListBody } from "../paging.ts";
import { path } from "../path.ts";
import type { Mode } from "../settings.ts";
import type { RequestOptions, Transport } from "../transport.ts";
import type { AuditVerification } from "./audit.ts";

/** A provider by its name, or by what it is. */
export type KeyedProvider = "pimlico" | "turnkey" | "fireblocks" | "bridge" | "helius";
export type ProviderKind =
  | "bundler"
  | "key_management"
  | "custody"
  | "stablecoin_payments"
  | "solana_access";

/** What each provider's keys are made of. */
export interface ProviderCredentials {
  readonly pimlico: {
    readonly api_key: string;
    readonly sponsorship_policy_id?: string;
    readonly chains?: readonly string[];
  };
  readonly turnkey: {
    readonly organization_id: string;
    readonly api_public_key: string;
    readonly api_private_key: string;
    readonly base_url?: string;
  };
  readonly fireblocks: {
    readonly api_key: string;
    readonly api_secret_pem: string;
    readonly vault_account_id?: string;
    readonly base_url?: string;
  };
  readonly bridge: {
    readonly api_key: string;
    readonly webhook_public_key?: string;
    readonly environment?: "production" | "sandbox";
  };
  readonly helius: { readonly api_key: string; readonly rpc_url?: string };
}

export interface SaveProviderKeysRequest<Provider extends KeyedProvider = KeyedProvider> {
  readonly credentials: ProviderCredentials[Provider];
  /** Where given, it has to be this client's own. */
  readonly mode?: Mode;
  readonly label?: string | null;
  /** Whether the vendor is asked if the keys work. Default `report`; `required` saves only keys that do. */
  readonly verify?: "report" | "required" | "skip";
  /** When they end: the developer is reminded before. */
  readonly expires_at?: string | null;
  /** The version to replace, 0 for none. Another is a `ConflictError`. */
  readonly expected_version?: number;
}

/** Everything about a provider's keys but their values, which never come back. */
export interface ProviderKeys {
  readonly provider: KeyedProvider;
  readonly kind: ProviderKind;
  readonly configured: true;
  readonly mode: Mode;
  readonly label: string | null;
  readonly fields_configured: readonly string[];
  readonly version: number;
  readonly verification: {
    readonly status: "verified" | "failed" | "unverified" | "unreachable";
    readonly checked_at: string | null;
    readonly detail: string | null;
  };
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly updated_at: string;
  readonly updated_by: string;
  /** The newest hash of the provider keys' audit chain. Whoever keeps it is a witness of the chain. */
  readonly audit_head: string;
}

export interface NoProviderKeys {
  readonly provider: KeyedProvider;
  readonly kind: ProviderKind;
  readonly configured: false;
}

export interface RemovedProviderKeys {
  readonly provider: KeyedProvider;
  readonly configured: false;
  /** Null, as `audit_id` is, where there was nothing to remove. */
  readonly deleted_at: string | null;
  readonly audit_id: string | null;
}

/** A developer's own keys at the providers, which the service keeps and never shows. */
export class DeveloperProviderKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All five providers, configured or not. */
  list(options?: RequestOptions): ApiPromise<ListBody<ProviderKeys | NoProviderKeys>> {
    return this.#transport.request(
      { method: "GET", path: "/developers/provider-keys", access: "tenant" },
      options,
    );
  }

  /** Puts a set of keys in the place of the one before it, of which nothing is left. */
  save<Provider extends KeyedProvider>(
    provider: Provider,
    body: SaveProviderKeysRequest<Provider>,
    options?: RequestOptions,
  ): ApiPromise<ProviderKeys> {
    return this.#transport.request(
      { method: "PUT", path: path`/developers/provider-keys/${provider}`, access: "tenant", body },
      options,
    );
  }

  /** Destroys a set of keys. */
  remove(
    provider: KeyedProvider | ProviderKind,
    options?: RequestOptions,
  ): ApiPromise<RemovedProviderKeys> {
    return this.#transport.request(
      { method: "DELETE", path: path`/developers/provider-keys/${provider}`, access: "tenant" },
      options,
    );
  }

  /** Has the service compute the chain that tells of every change again, and compare it with the anchor. */
  verifyAudit(options?: RequestOptions): ApiPromise<AuditVerification> {
    return this.#transport.request(
      { method: "GET", path: "/developers/provider-keys/audit/verify", access: "tenant" },
      options,
    );
  }
}
