import type { ApiPromise } from "../api-promise.ts";
import type {
  AgentWallets,
  Wallet,
  WalletActivity,
  WalletBalances,
  WalletCreateRequest,
  WalletFreezeReport,
  WalletFreezeRequest,
  WalletFunding,
  WalletFundRequest,
  WalletUnfreezeRequest,
  WalletUpdateRequest,
} from "../api-types.ts";
import type { PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { Call, RequestOptions, Transport } from "../transport.ts";

export interface WalletsQuery extends CursorQuery {
  readonly agent_id?: string;
  /** A network's name or CAIP-2 id. */
  readonly network?: string;
  readonly status?: Wallet["status"];
}

/** Smart accounts of agents: at most one for each agent, network and mode. */
export class Wallets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates an agent's wallet on a network, and the agent if its id is new.
   *
   * @throws ConflictError with code `wallet_already_exists` if the agent has a wallet on this network.
   */
  create(body: WalletCreateRequest, options?: RequestOptions): ApiPromise<Wallet> {
    return this.#request({ method: "POST", path: "/wallets/create", body }, options);
  }

  /** Lists wallets, newest first. */
  list(query: WalletsQuery = {}, options?: RequestOptions): PagePromise<Wallet> {
    return requestPages(this.#transport, "/wallets", query, options);
  }

  /** Returns all wallets of an agent. */
  listOfAgent(agentId: string, options?: RequestOptions): ApiPromise<AgentWallets> {
    return this.#request({ method: "GET", path: path`/wallets/agent/${agentId}` }, options);
  }

  get(walletId: string, options?: RequestOptions): ApiPromise<Wallet> {
    return this.#request({ method: "GET", path: path`/wallets/${walletId}` }, options);
  }

  /** Changes the name and the metadata. */
  update(walletId: string, body: WalletUpdateRequest, options?: RequestOptions): ApiPromise<Wallet> {
    return this.#request({ method: "PATCH", path: path`/wallets/${walletId}`, body }, options);
  }

  /** Returns the balance of each token. With `refresh`, does not use the cache. */
  balance(
    walletId: string,
    query: { readonly refresh?: boolean } = {},
    options?: RequestOptions,
  ): ApiPromise<WalletBalances> {
    return this.#request({ method: "GET", path: path`/wallets/${walletId}/balance`, query }, options);
  }

  /** Lists the wallet's deposits, payments and freezes, newest first. */
  activity(walletId: string, query: CursorQuery = {}, options?: RequestOptions): PagePromise<WalletActivity> {
    return requestPages(this.#transport, path`/wallets/${walletId}/activity`, query, options);
  }

  /** Adds test tokens to a test wallet. */
  fund(walletId: string, body: WalletFundRequest, options?: RequestOptions): ApiPromise<WalletFunding> {
    return this.#request({ method: "POST", path: path`/wallets/${walletId}/fund`, body }, options);
  }

  /** Freezes the wallet: from the response on, no payment leaves it. */
  freeze(walletId: string, body: WalletFreezeRequest, options?: RequestOptions): ApiPromise<void> {
    return this.#request({ method: "POST", path: path`/wallets/${walletId}/freeze`, body }, options);
  }

  /**
   * Freezes the wallet and its account on the chain, and returns a signed proof (see `verifyFreezeProof`). Test mode has no
   * chain: the freeze of the account is simulated.
   *
   * @throws ServiceUnavailableError in live mode. The wallet is then frozen, but not its account on the chain.
   */
  freezeOnChain(walletId: string, body: WalletFreezeRequest, options?: RequestOptions): ApiPromise<WalletFreezeReport> {
    return this.#request({ method: "POST", path: path`/wallets/${walletId}/freeze-on-chain`, body }, options);
  }

  /**
   * Lifts the developer's own freeze. Does nothing if the wallet is not frozen.
   *
   * @throws PermissionDeniedError if an admin froze the wallet, or if the key is bound to agents.
   */
  unfreeze(walletId: string, body: WalletUnfreezeRequest = {}, options?: RequestOptions): ApiPromise<void> {
    return this.#request({ method: "POST", path: path`/wallets/${walletId}/unfreeze`, body }, options);
  }

  #request<Data>(call: Omit<Call, "access">, options?: RequestOptions): ApiPromise<Data> {
    return this.#transport.request({ ...call, access: "tenant" }, options);
  }
}
