import type { ApiPromise } from "../api-promise.ts";
import type {
  Conversion,
  ExchangeRate,
  FiatAccount,
  FiatAccountList,
  LinkAccountRequest,
  LinkToken,
  OffRampRequest,
  OnRampRequest,
  VerifiedAccount,
  VerifyAccountRequest,
} from "../api-types.ts";
import type { PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { RequestOptions, Transport } from "../transport.ts";

export interface RateQuery {
  /** Default: `usdc`. */
  readonly source?: string;
  /** Default: `usd`. */
  readonly dest?: string;
}

export interface ListConversionsQuery extends CursorQuery {
  readonly status?: Conversion["status"];
  readonly direction?: Conversion["direction"];
  readonly wallet_id?: string;
  /** Only conversions created at this time or later, in RFC 3339. */
  readonly from?: string;
  /** Only conversions created before this time, in RFC 3339. */
  readonly to?: string;
}

/** Bank accounts, and the conversion of dollars into stablecoins and back. */
export class Fiat {
  readonly accounts: BankAccounts;
  readonly conversions: Conversions;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.accounts = new BankAccounts(transport);
    this.conversions = new Conversions(transport);
    this.#transport = transport;
  }

  /** Returns a token with which Plaid Link runs in a browser. Then call `verifyAccount` with its public token. */
  linkAccount(body: LinkAccountRequest = {}, options?: RequestOptions): ApiPromise<LinkToken> {
    return this.#transport.request({ method: "POST", path: "/fiat/link-account", body, access: "tenant" }, options);
  }

  /** Finishes linking a bank account, and starts the identification of its holder. */
  verifyAccount(body: VerifyAccountRequest, options?: RequestOptions): ApiPromise<VerifiedAccount> {
    return this.#transport.request({ method: "POST", path: "/fiat/verify-account", body, access: "tenant" }, options);
  }

  /** Returns what one unit of a currency is worth in another. */
  rate(query: RateQuery = {}, options?: RequestOptions): ApiPromise<ExchangeRate> {
    return this.#transport.request(
      { method: "GET", path: "/fiat/rate", query: { ...query }, access: "tenant" },
      options,
    );
  }

  /**
   * Converts dollars from a bank account into USDC in a wallet. Send the dollars as `deposit_instructions` says. With
   * `execute: false`, returns a quote.
   *
   * @throws PermissionDeniedError if a policy of the agent that acts refuses it.
   * @throws ConflictError unless the bank account is verified and its holder is approved.
   */
  onRamp(body: OnRampRequest, options?: RequestOptions): ApiPromise<Conversion> {
    return this.#transport.request({ method: "POST", path: "/fiat/on-ramp", body, access: "tenant" }, options);
  }

  /**
   * Converts USDC of a wallet into dollars in a bank account. With `execute: false`, returns a quote.
   *
   * @throws PermissionDeniedError if a policy, the project's cap or a freeze refuses it.
   * @throws ConflictError unless the bank account is verified and its holder is approved.
   * @throws APIError with status 402 if the balance is too small.
   */
  offRamp(body: OffRampRequest, options?: RequestOptions): ApiPromise<Conversion> {
    return this.#transport.request({ method: "POST", path: "/fiat/off-ramp", body, access: "tenant" }, options);
  }
}

/** Linked bank accounts, without personal data. */
class BankAccounts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(options?: RequestOptions): ApiPromise<FiatAccountList> {
    return this.#transport.request({ method: "GET", path: "/fiat/accounts", access: "tenant" }, options);
  }

  get(accountId: string, options?: RequestOptions): ApiPromise<FiatAccount> {
    return this.#transport.request(
      { method: "GET", path: path`/fiat/accounts/${accountId}`, access: "tenant" },
      options,
    );
  }

  /** Unlinks an account, and destroys the personal data of its holder. */
  remove(accountId: string, options?: RequestOptions): ApiPromise<FiatAccount> {
    return this.#transport.request(
      { method: "DELETE", path: path`/fiat/accounts/${accountId}`, access: "tenant" },
      options,
    );
  }
}

/** On-ramps, off-ramps and their quotes. */
class Conversions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists conversions and quotes, newest first. */
  list(query: ListConversionsQuery = {}, options?: RequestOptions): PagePromise<Conversion> {
    return requestPages(this.#transport, "/fiat/conversions", query, options);
  }

  get(conversionId: string, options?: RequestOptions): ApiPromise<Conversion> {
    return this.#transport.request(
      { method: "GET", path: path`/fiat/conversions/${conversionId}`, access: "tenant" },
      options,
    );
  }

  /**
   * Executes a quote.
   *
   * @throws ConflictError with the code `quote_expired` after 30 seconds, and with `conflict` if it was executed.
   */
  execute(conversionId: string, options?: RequestOptions): ApiPromise<Conversion> {
    return this.#transport.request(
      { method: "POST", path: path`/fiat/conversions/${conversionId}/execute`, access: "tenant" },
      options,
    );
  }

  /**
   * Cancels a quote, or a conversion whose money has not moved.
   *
   * @throws ConflictError if it is too late.
   */
  cancel(conversionId: string, options?: RequestOptions): ApiPromise<Conversion> {
    return this.#transport.request(
      { method: "POST", path: path`/fiat/conversions/${conversionId}/cancel`, access: "tenant" },
      options,
    );
  }
}
