import type { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { RequestLog } from "./call-limits/request-log.ts";
import type { WaitingCallers } from "./call-limits/waiting-callers.ts";
import type { AccessTokens } from "./crypto/access-tokens.ts";
import type { PasswordHasher } from "./crypto/passwords.ts";
import type { StatementSigner } from "./crypto/statement-signer.ts";
import type { HexText } from "./crypto/user-operation.ts";
import type { Db } from "./db/database.ts";
import type { WakeUps } from "./due-work/wake-ups.ts";
import type { DurableExecution } from "./durable/durable-execution.ts";
import type { EventFeed } from "./events/event-feed.ts";
import type { AuthFailureLog } from "./foundation/auth-failure-log.ts";
import type { BlockchainNetwork } from "./foundation/blockchain-networks.ts";
import type { Clock } from "./foundation/clock.ts";
import type { AdminId, ApiKeyId, TenantId } from "./foundation/ids.ts";
import type { Settings } from "./foundation/settings.ts";
import type { VendorNameOf } from "./foundation/vendors.ts";
import type { KeyedProvider, Mode, WalletSignerName } from "./foundation/vocabulary.ts";
import type { OperationKind } from "./operations/operation-kind.ts";
import type { AuditAnchor } from "./ports/audit-anchor.ts";
import type { BankLink } from "./ports/bank-link.ts";
import type { BillingProcessor } from "./ports/billing-processor.ts";
import type { OpenBundler } from "./ports/bundler.ts";
import type { Captcha } from "./ports/captcha.ts";
import type { EvmNetwork } from "./ports/evm-network.ts";
import type { ExternalTokenIssuers } from "./ports/external-token-issuers.ts";
import type { FastState } from "./ports/fast-state.ts";
import type { IdentityProviders } from "./ports/identity-provider.ts";
import type { IdentityScreening } from "./ports/identity-screening.ts";
import type { KeyEncryptionKey } from "./ports/key-encryption-key.ts";
import type { Mailer } from "./ports/mailer.ts";
import type { ProviderCredentials, ProviderKeyVerifier } from "./ports/provider-key-verifier.ts";
import type { ServiceProvider } from "./ports/service-provider.ts";
import type { DollarRate, OpenStablecoinRamp, RateCurrency } from "./ports/stablecoin-ramp.ts";
import type { VendorWebhooks } from "./ports/vendor-webhooks.ts";
import type { KeyMaker, OpenAccountSigner } from "./ports/wallet-signer.ts";
import type { WebhookSender } from "./ports/webhook-sender.ts";
import type { TenantVault } from "./vault/vault.ts";

/** The time and client network of an API key's last use. */
export interface KeyUse {
  readonly tenantId: TenantId;
  readonly keyId: ApiKeyId;
  readonly at: Date;
  readonly network: string;
}

/** The operator's private keys on blockchain networks. Null for one that is not configured. */
export interface OperatorKeys {
  /** Makes the paymaster pay for operations. Without it, none can be sent. */
  readonly paymasterSigner: HexText | null;
  /** Freezes accounts. */
  readonly freezer: HexText | null;
  /** Unfreezes accounts. */
  readonly unfreezer: HexText | null;
}

/** What another company's script does in the dashboard. */
export interface Widget {
  readonly name: "stripe" | "plaid" | VendorNameOf<"captcha">;
  /** The mode in which the dashboard uses it. Absent if it has no mode. */
  readonly mode?: Mode;
  /** The URL of the script. */
  readonly script: string;
  /** The operator's public key at the company. */
  readonly key?: string;
  /** What the script adds to the Content-Security-Policy, by directive. */
  readonly sources: Readonly<Partial<Record<"script-src" | "frame-src" | "connect-src", readonly string[]>>>;
}

/**
 * The server's dependencies, built once by `compose.ts`. A function declares only the members that it needs: `Pick<App,
 * "db" | "clock">`.
 */
export interface App {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Logger;
  readonly db: Db;
  /** Connects as the role that can read personal data. Null if bank accounts cannot be linked. */
  readonly piiDb: Db | null;
  readonly fastState: FastState;
  readonly keyEncryptionKey: KeyEncryptionKey;
  readonly vaults: LRUCache<TenantId, TenantVault>;
  readonly signer: StatementSigner;
  readonly auditAnchor: AuditAnchor;
  readonly accessTokens: AccessTokens<TenantId>;
  readonly adminTokens: AccessTokens<AdminId>;
  readonly passwords: PasswordHasher;
  readonly captcha: Captcha;
  readonly mailer: Mailer;
  readonly identityProviders: IdentityProviders;
  /** Verifies tokens that other issuers issued about agents. */
  readonly externalTokenIssuers: ExternalTokenIssuers;
  /** For each provider, verifies the API keys that developers save. */
  readonly providerKeyVerifiers: ReadonlyMap<KeyedProvider, ProviderKeyVerifier>;
  /** The service providers, by catalog name. */
  readonly providers: ReadonlyMap<string, ServiceProvider>;
  /** The payment processor, with separate credentials for each mode. */
  readonly billing: Readonly<Record<Mode, BillingProcessor>>;
  /** Connects bank accounts. Null in a mode without credentials. */
  readonly bankLink: Readonly<Record<Mode, BankLink | null>>;
  /** Searches lists of sanctioned persons. Null in a mode without credentials. */
  readonly identityScreening: Readonly<Record<Mode, IdentityScreening | null>>;
  /** The scripts of other companies in the dashboard: those that are configured. */
  readonly widgets: readonly Widget[];
  /** Changes dollars into stablecoins and back. The operator's API key of a mode is null if it is not configured. */
  readonly ramp: {
    readonly open: OpenStablecoinRamp;
    readonly operatorKeys: Readonly<Record<Mode, string | null>>;
  };
  /** Rates of the dollar, which were read for any caller. They are read again after 30 seconds. */
  readonly dollarRates: Map<RateCurrency, { readonly readAt: Date; readonly rate: Promise<DollarRate> }>;
  /** Verifies the webhooks of vendors, by vendor. */
  readonly vendorWebhooks: ReadonlyMap<string, VendorWebhooks>;
  /** The blockchain networks that have a node. */
  readonly evmNetworks: ReadonlyMap<BlockchainNetwork, EvmNetwork>;
  /** Put operations of accounts on networks. The operator's API key is null if it is not configured. */
  readonly bundlers: { readonly open: OpenBundler; readonly operatorKey: string | null };
  readonly operatorKeys: OperatorKeys;
  /** Starts jobs of this process before they are due. */
  readonly wakeUps: WakeUps;
  /** The networks of which this process knows that they are in use. */
  readonly networksInUse: Set<BlockchainNetwork>;
  /** Hold the keys that own wallets. */
  readonly walletSigners: {
    /** The one that makes the keys of new live wallets. */
    readonly name: WalletSignerName;
    readonly local: KeyMaker;
    readonly awsKms: KeyMaker;
    readonly openTurnkey: OpenAccountSigner;
    /** The operator's keys for Turnkey. Null if they are not configured. */
    readonly turnkeyOperatorKeys: ProviderCredentials | null;
  };
  /** Runs workflows and resumes them after a crash. */
  readonly durable: DurableExecution;
  /** The operation kinds, by operation type. */
  readonly operationKinds: ReadonlyMap<string, OperationKind>;
  /** The most recent use of each API key, buffered in memory and written to the database every few seconds. */
  readonly keyUses: Map<ApiKeyId, KeyUse>;
  /**
   * Rejected requests that contained a well-formed API key, buffered in memory until they are written to the database.
   */
  readonly authFailures: AuthFailureLog;
  /** Requests with API keys, buffered in memory and written to the database every second. */
  readonly requestLog: RequestLog;
  /** The requests of this process that wait for approvals. */
  readonly waitingCallers: WaitingCallers;
  /** The streams of events that clients of this process read. */
  readonly eventFeed: EventFeed;
  /** Delivers events to the servers of developers. */
  readonly webhookSender: WebhookSender;
  readonly health: {
    /** Why this process currently rejects requests. Null if it accepts them. */
    refusal: string | null;
  };
}
