import type { ApiPromise } from "../api-promise.ts";
import type {
  AuditVerification,
  NoProviderKeys,
  ProviderKeyRequest,
  ProviderKeys,
  RemovedProviderKeys,
} from "../api-types.ts";
import type { ListBody } from "../paging.ts";
import { path } from "../path.ts";
import type { RequestOptions, Transport } from "../transport.ts";

/** The name of a provider whose keys can be saved, for example `turnkey`. */
export type KeyedProvider = ProviderKeys["provider"];

/** The kind of a provider, for example `key_management` for `turnkey` (docs/api.md, section 17). */
export type ProviderKind = ProviderKeys["kind"];

/** The credentials that each provider requires (docs/api.md, section 17). */
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

export type SaveProviderKeysRequest<Provider extends KeyedProvider = KeyedProvider> = Omit<
  ProviderKeyRequest,
  "credentials"
> & { readonly credentials: ProviderCredentials[Provider] };

/** The developer's own API keys at providers. They are stored encrypted and never returned. */
export class DeveloperProviderKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists all providers whose keys can be saved, including those without saved keys. */
  list(options?: RequestOptions): ApiPromise<ListBody<ProviderKeys | NoProviderKeys>> {
    return this.#transport.request({ method: "GET", path: "/developers/provider-keys", access: "tenant" }, options);
  }

  /** Saves a provider's keys. Earlier keys of that provider are deleted. */
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

  /** Deletes a provider's keys. */
  remove(provider: KeyedProvider | ProviderKind, options?: RequestOptions): ApiPromise<RemovedProviderKeys> {
    return this.#transport.request(
      { method: "DELETE", path: path`/developers/provider-keys/${provider}`, access: "tenant" },
      options,
    );
  }

  /**
   * Verifies the audit chain that records changes of provider keys. The server recomputes the chain's hashes and
   * compares the chain with its newest checkpoint in external storage.
   */
  verifyAudit(options?: RequestOptions): ApiPromise<AuditVerification> {
    return this.#transport.request(
      { method: "GET", path: "/developers/provider-keys/audit/verify", access: "tenant" },
      options,
    );
  }
}
