/** Credentials of a linked account. Encrypted in the database, in plain text only during a call. */
export interface ProviderAccess {
  readonly accessToken: string;
  /**
   * The account or organization in which resources are created, as returned by `identify`. Null: the token's own
   * account.
   */
  readonly accountId: string | null;
}

/** The account that a token gives access to. */
export interface ProviderAccount {
  readonly accountId: string | null;
  /** A name that people recognize: an email address or an organization's name. */
  readonly label: string;
}

export interface ProviderTokens {
  readonly accessToken: string;
  /** Null if the token does not expire. */
  readonly refreshToken: string | null;
  readonly expiresAt: Date | null;
}

/** The OAuth authorization code flow with PKCE (RFC 6749, RFC 7636). Needs an app that the operator has registered. */
export interface ProviderOAuth {
  authorizationUrl(request: {
    readonly state: string;
    /** S256. */
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
}

/** The resource to create at the provider. */
export interface ProvisionRequest {
  /** Derived from the service id. The same on every attempt, so that an existing resource is found by it. */
  readonly resourceName: string;
  readonly plan: string;
  readonly region: string;
  /** Validated against the catalog's schema. */
  readonly config: Readonly<Record<string, unknown>>;
  /**
   * A generated password, if the provider needs one (`needsPassword`); otherwise empty. Stored encrypted with the
   * service.
   */
  readonly password: string;
}

/** A resource's state at the provider. */
export type ProviderResource =
  | { readonly status: "ready"; readonly resourceId: string }
  | {
      readonly status: "pending";
      readonly resourceId: string;
      /** The time until the next poll, and the typical time until the resource is ready. */
      readonly pollAfterMs: number;
      readonly expectedSeconds: number;
    }
  | { readonly status: "failed"; readonly resourceId: string; readonly reason: string };

/** Environment variables: names and values. */
export type ProviderEnv = Readonly<Record<string, string>>;

/** A company whose services can be added to a project. Every method throws only `VendorError`. */
export interface ServiceProvider {
  readonly provider: string;
  /** Null if no app is registered: accounts are then linked with a pasted token. */
  readonly oauth: ProviderOAuth | null;
  /** Whether `provision` needs a password. */
  readonly needsPassword: boolean;
  /** Whether `readEnv` works for a resource that Purser did not create. */
  readonly canAdopt: boolean;
  /** The provider's page on which a person creates an access token. */
  readonly tokenPageUrl: string;
  /** A token that the sandbox accepts. Set only in the local profile. */
  readonly sandboxToken?: string | undefined;
  /** Returns the account that the token gives access to. Also validates a pasted token. */
  identify(accessToken: string): Promise<ProviderAccount>;
  /**
   * Creates the resource. The providers' APIs have no idempotency keys, so after a refusal or an unknown outcome the
   * caller must call `find` before it repeats the call.
   */
  provision(access: ProviderAccess, order: ProvisionRequest): Promise<ProviderResource>;
  /** The resource with this name. Undefined only if there certainly is none. */
  find(access: ProviderAccess, resourceName: string): Promise<ProviderResource | undefined>;
  /** The resource's present state. Throws `not_found` if it no longer exists. */
  inspect(access: ProviderAccess, resourceId: string): Promise<ProviderResource>;
  /** The variables that a program needs to use the resource, with the catalog's names. Changes nothing. */
  readEnv(
    access: ProviderAccess,
    resource: {
      readonly resourceId: string;
      readonly config: Readonly<Record<string, unknown>>;
      readonly password: string;
    },
  ): Promise<ProviderEnv>;
  /** Deletes the resource. Succeeds if it is already deleted. */
  deprovision(access: ProviderAccess, resourceId: string): Promise<void>;
}
