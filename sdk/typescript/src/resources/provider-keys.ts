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

/** A provider by its name, or by what it is. */
export type KeyedProvider = ProviderKeys["provider"];
export type ProviderKind = ProviderKeys["kind"];

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

export type SaveProviderKeysRequest<Provider extends KeyedProvider = KeyedProvider> = Omit<
  ProviderKeyRequest,
  "credentials"
> & { readonly credentials: ProviderCredentials[Provider] };

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
