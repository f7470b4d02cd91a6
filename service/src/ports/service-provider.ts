import type { Biller } from "../foundation/vocabulary.ts";

/** A linked account's credentials. Stored encrypted, and decrypted only for a call. */
export interface ProviderAccess {
  readonly accessToken: string;
  /**
   * The account or organization in which resources are created, as returned by `identify`. If null, resources are
   * created in the token's own account.
   */
  readonly accountId: string | null;
}

/** The account that a token gives access to. */
export interface ProviderAccount {
  readonly accountId: string | null;
  /** A human-readable name, such as an email address or an organization's name. */
  readonly label: string;
}

export interface ProviderTokens {
  readonly accessToken: string;
  /** Null if the provider issued no refresh token. */
  readonly refreshToken: string | null;
  readonly expiresAt: Date | null;
  /** The account, if the provider returns it with the tokens. Otherwise `identify` reads it. */
  readonly account?: ProviderAccount | undefined;
}

/** A request for an account at a provider that creates accounts. */
export interface AccountRequest {
  /** Identifies the request. Every attempt at the same request has the same id. */
  readonly requestId: string;
  /** The developer's verified email address. */
  readonly email: string;
  readonly scopes: readonly string[];
  /** The OAuth state, which the provider adds to its redirect if a user must give consent. */
  readonly state: string;
  /** Computed with the method S256. */
  readonly codeChallenge: string;
  readonly expiresAt: Date;
}

/** An authorization code for a new account, or the URL of the page on which the user of an existing one gives consent. */
export type RequestedAccount =
  | { readonly type: "code"; readonly code: string }
  | { readonly type: "consent"; readonly url: string; readonly state: string };

/**
 * The OAuth authorization code flow with PKCE (RFC 6749, RFC 7636). The operator must have registered an OAuth app with
 * the provider.
 */
export interface ProviderOAuth {
  authorizationUrl(request: {
    readonly state: string;
    /** Computed with the method S256. */
    readonly codeChallenge: string;
    readonly redirectUri: string;
  }): string;
  exchangeCode(grant: {
    readonly code: string;
    readonly codeVerifier: string;
    readonly redirectUri: string;
  }): Promise<ProviderTokens>;
  /** A refresh token may be single-use, so the caller must store the returned tokens. */
  refresh(refreshToken: string): Promise<ProviderTokens>;
  /**
   * Revokes the refresh token and the access tokens that were issued with it. The provider may end the app's whole
   * authorization for the account. Succeeds if the token is no longer valid. Undefined if the provider cannot revoke tokens.
   */
  revoke?(refreshToken: string): Promise<void>;
}

/** The resource to create at the provider. */
export interface ProvisionRequest {
  /** The service's ID in the catalog: `provider/slug`. */
  readonly service: string;
  /** Derived from the service id, so that a retry can find a resource that an earlier attempt created. */
  readonly resourceName: string;
  readonly plan: string;
  readonly region: string;
  /** Validated against the catalog's schema. */
  readonly config: Readonly<Record<string, unknown>>;
  /**
   * A generated password, stored encrypted with the service. An empty string if the provider does not need one (see
   * `needsPassword`).
   */
  readonly password: string;
}

/** A resource in an account, with the `resourceName` that it was created with. */
export interface NamedResource {
  readonly resourceId: string;
  readonly name: string;
}

/** Environment variables by name. */
export type ProviderEnv = Readonly<Record<string, string>>;

/** A resource's state at the provider. */
export type ProviderResource =
  | {
      readonly status: "ready";
      readonly resourceId: string;
      /** The environment variables, if the provider returns them only now. Otherwise `readEnv` reads them. */
      readonly env?: ProviderEnv | undefined;
    }
  | {
      readonly status: "pending";
      readonly resourceId: string;
      /** The delay before the next poll. `expectedSeconds` is the typical time until the resource is ready. */
      readonly pollAfterMs: number;
      readonly expectedSeconds: number;
    }
  | { readonly status: "failed"; readonly resourceId: string; readonly reason: string };

/** A rotation of a resource's credentials. Every attempt at the same rotation has the same values. */
export interface CredentialRotation {
  readonly resourceId: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** Identifies the rotation. The name of a new credential is derived from it, so that a retry finds it. */
  readonly rotationId: string;
  /** The current environment variables. */
  readonly env: ProviderEnv;
  /** A newly generated password, stored encrypted. An empty string if `needsPassword` is false. */
  readonly password: string;
}

/** The credentials that a rotation has issued. */
export interface RotatedCredentials {
  readonly env: ProviderEnv;
  /** `overlap`: the former credentials are valid until `retire`. `immediate`: they are no longer valid. */
  readonly mode: "overlap" | "immediate";
}

/** A metered quantity in the provider's unit, for example 7,200 seconds of compute at 3,600 seconds per billed hour. */
export interface MeteredUsage {
  /** The metric's name in the catalog, for example `compute_hours`. */
  readonly metric: string;
  readonly quantity: bigint;
  /** How much of the quantity is one unit of the metric. */
  readonly quantityPerUnit: bigint;
}

/** A company that provides services for projects. Every method throws only `VendorError`. */
export interface ServiceProvider {
  readonly provider: string;
  /** Null if no OAuth app is registered. Accounts are then linked with a pasted token. */
  readonly oauth: ProviderOAuth | null;
  /** Whether `provision` needs a password. */
  readonly needsPassword: boolean;
  /**
   * Whether a repeated call of `rotate` issues the same credentials. Otherwise, a call that takes effect late ends those that
   * a later call has returned.
   */
  readonly isRotationIdempotent: boolean;
  /** Whether `readEnv` works for a resource that Purser did not create. */
  readonly canAdopt: boolean;
  /** Who bills the provider's plans, if the configuration decides that and not the catalog. */
  readonly billedBy?: Biller | undefined;
  /** The URL of the provider's page for creating tokens. */
  readonly tokenPageUrl: string;
  /** The provider's entry for the catalog. Undefined if `readCatalog` reads it. */
  readonly catalogEntry?: object;
  /** Reads the provider's entry for the catalog from the provider. The caller validates it. */
  readCatalog?(): Promise<object>;
  /**
   * Requests an account for a developer. `oauth.exchangeCode` exchanges the code. Undefined if the provider does not create
   * accounts.
   */
  requestAccount?(request: AccountRequest): Promise<RequestedAccount>;
  /**
   * Returns a URL that opens the resource in the provider's dashboard and can be used once. Anyone who has it can use it.
   * Undefined if the provider does not offer such URLs.
   */
  openDashboard?(
    access: ProviderAccess,
    resourceId: string,
  ): Promise<{ readonly url: string; readonly expiresAt: Date | null }>;
  /** A token that the provider's simulator accepts. Undefined in production. */
  readonly sandboxToken?: string | undefined;
  /** Returns the account that the token gives access to. Also used to check a pasted token. */
  identify(accessToken: string): Promise<ProviderAccount>;
  /**
   * Creates the resource. The providers' APIs have no idempotency keys. After a `refused` or `unknown` failure, the
   * resource may exist, so the caller must call `find` before it retries.
   */
  provision(access: ProviderAccess, order: ProvisionRequest): Promise<ProviderResource>;
  /** Returns the resource with this name, or undefined if it does not exist. Throws if its existence is uncertain. */
  find(access: ProviderAccess, resourceName: string): Promise<ProviderResource | undefined>;
  /**
   * Returns the account's resources whose names begin with `prefix`. Throws if the list is incomplete. Undefined if the
   * provider cannot list resources.
   */
  list?(access: ProviderAccess, prefix: string): Promise<readonly NamedResource[]>;
  /** Returns the resource's current state. Throws `not_found` if it no longer exists. */
  inspect(access: ProviderAccess, resourceId: string): Promise<ProviderResource>;
  /**
   * Returns the environment variables for using the resource, named as in the catalog. Changes the resource only if the
   * provider shows its credentials once: then it issues new ones, so call it only before the service is active.
   */
  readEnv(
    access: ProviderAccess,
    resource: {
      readonly resourceId: string;
      readonly config: Readonly<Record<string, unknown>>;
      readonly password: string;
    },
  ): Promise<ProviderEnv>;
  /**
   * Returns the resource's metered use between two times, or undefined if the provider does not report it. Undefined if
   * the provider has no such API. `start` is the start of a month in UTC.
   */
  readUsage?(
    access: ProviderAccess,
    request: { readonly resourceId: string; readonly start: Date; readonly end: Date },
  ): Promise<readonly MeteredUsage[] | undefined>;
  /**
   * Issues new credentials. A provider that allows two valid credentials keeps the former ones valid until `retire`.
   * Undefined if the provider cannot rotate credentials.
   */
  rotate?(access: ProviderAccess, rotation: CredentialRotation): Promise<RotatedCredentials>;
  /** Ends the credentials in `former`, but not those in `current`. Succeeds if they have already ended. */
  retire?(
    access: ProviderAccess,
    credentials: {
      readonly resourceId: string;
      readonly config: Readonly<Record<string, unknown>>;
      readonly former: ProviderEnv;
      readonly current: ProviderEnv;
    },
  ): Promise<void>;
  /**
   * Uses the credentials once, with a call or a connection to the resource. Returns whether they were accepted. Undefined
   * if they can only be used by the resource's own client.
   */
  checkEnv?(env: ProviderEnv): Promise<boolean>;
  /**
   * Changes the resource's plan. Succeeds if the resource already has this plan. With `from`, does nothing if the resource
   * has another plan than this one. Undefined if the provider's API cannot change it.
   */
  changePlan?(
    access: ProviderAccess,
    change: {
      readonly resourceId: string;
      readonly plan: string;
      readonly from?: string | undefined;
      readonly config: Readonly<Record<string, unknown>>;
    },
  ): Promise<ProviderResource>;
  /** Deletes the resource. Succeeds if it is already deleted. */
  deprovision(access: ProviderAccess, resourceId: string): Promise<void>;
}
