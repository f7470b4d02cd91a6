import type { ApiPromise } from "../api-promise.ts";
import type {
  Wallet,
  WalletCreateRequest,
  WalletFreezeReport,
  WalletFreezeRequest,
  WalletUnfreezeRequest,
} from "../api-types.ts";
import { path } from "../path.ts";
import type { Call, RequestOptions, Transport } from "../transport.ts";

/** Wallets of agents: smart accounts, at most one for each agent, network and mode. */
export class Wallets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates the agent's wallet on a network, and the agent if its id is new.
   *
   * @throws ConflictError if the agent already has a wallet on this network.
   */
  create(body: WalletCreateRequest, options?: RequestOptions): ApiPromise<Wallet> {
    return this.#request({ method: "POST", path: "/wallets/create", body }, options);
  }

  get(walletId: string, options?: RequestOptions): ApiPromise<Wallet> {
    return this.#request({ method: "GET", path: path`/wallets/${walletId}` }, options);
  }

  /** Freezes the wallet: from the response on, no payment leaves it. */
  freeze(walletId: string, body: WalletFreezeRequest, options?: RequestOptions): ApiPromise<void> {
    return this.#request(
      { method: "POST", path: path`/wallets/${walletId}/freeze`, body },
      options,
    );
  }

  /**
   * Freezes the wallet and its account on the chain, and returns a signed proof (see `verifyFreezeProof`). Test mode has no
   * chain: the freeze of the account is simulated.
   *
   * @throws ServiceUnavailableError in live mode. The wallet is then frozen, but not its account on the chain.
   */
  freezeOnChain(
    walletId: string,
    body: WalletFreezeRequest,
    options?: RequestOptions,
  ): ApiPromise<WalletFreezeReport> {
    return this.#request(
      { method: "POST", path: path`/wallets/${walletId}/freeze-on-chain`, body },
      options,
    );
  }

  /**
   * Lifts the developer's own freeze. Does nothing if the wallet is not frozen.
   *
   * @throws PermissionDeniedError if an admin froze the wallet, or if the key is bound to agents.
   */
  unfreeze(
    walletId: string,
    body: WalletUnfreezeRequest = {},
    options?: RequestOptions,
  ): ApiPromise<void> {
    return this.#request(
      { method: "POST", path: path`/wallets/${walletId}/unfreeze`, body },
      options,
    );
  }

  #request<Data>(call: Omit<Call, "access">, options?: RequestOptions): ApiPromise<Data> {
    return this.#transport.request({ ...call, access: "tenant" }, options);
  }
}
