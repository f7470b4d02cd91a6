/** What a linked account is reached with. Held in memory for one call; at rest it is sealed. */
export interface ProviderAccess {
  readonly accessToken: string;
  /** The account or organization that resources are made in, as `identify` named it. Null: the token's own. */
  readonly accountId: string | null;
}

/** Whose account a token opens. */
export interface ProviderAccount {
  readonly accountId: string | null;
  /** What people call it: an address, an organization's name. */
  readonly label: string;
}

export interface ProviderTokens {
  readonly accessToken: string;
  /** Null where the token does not expire. */
  readonly refreshToken: string | null;
  readonly expiresAt: Date | null;
}

/** The authorization code flow of a provider where the operator has registered an app (RFC 6749, 7636). */
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
  /** A refresh token may be good for one use only: whoever refreshes stores what comes back. */
  refresh(refreshToken: string): Promise<ProviderTokens>;
}

/** What is to be made at the vendor. */
export interface ProvisionOrder {
  /** Made of our own service id, the same at every attempt: the resource is found again by it. */
  readonly resourceName: string;
  readonly plan: string;
  readonly region: string;
  /** Checked against the catalog's schema. */
  readonly config: Readonly<Record<string, unknown>>;
  /** A password of our own making, for a provider that wants to be told one; empty for any other. Kept sealed with the service. */
  readonly password: string;
}

/** Where a resource stands. */
export type ProviderResource =
  | { readonly status: "ready"; readonly resourceId: string }
  | {
      readonly status: "pending";
      readonly resourceId: string;
      /** When it is worth looking again, and when it will be there as a rule. */
      readonly pollAfterMs: number;
      readonly expectedSeconds: number;
    }
  | { readonly status: "failed"; readonly resourceId: string; readonly reason: string };

/** Names to values, as a program reads them from its environment. */
export type ProviderEnv = Readonly<Record<string, string>>;

/**
 * A vendor whose services are provisioned into projects. Every method throws `VendorError`, and nothing else, where the
 * vendor does not do what it was asked.
 */
export interface ServiceProvider {
  readonly provider: string;
  /** Null where no app is registered: an account is linked by a pasted token then. */
  readonly oauth: ProviderOAuth | null;
  /** Whether it wants to be told the password of what it makes. */
  readonly wantsPassword: boolean;
  /** Whether what a program needs can be read of a resource that was there before us. */
  readonly canAdopt: boolean;
  /** Where people make the token that they paste. */
  readonly tokenPageUrl: string;
  /** A token that the sandbox takes in place of the vendor's own. Absent at the vendor itself. */
  readonly sandboxToken?: string | undefined;
  /** Whose account this token opens. The check of a pasted token. */
  identify(accessToken: string): Promise<ProviderAccount>;
  /** Makes the resource. Vendors have no idempotency key here: after a refusal and an unknown outcome the caller looks with `find`. */
  provision(access: ProviderAccess, order: ProvisionOrder): Promise<ProviderResource>;
  /** The resource of this name, or undefined where there is definitely none. */
  find(access: ProviderAccess, resourceName: string): Promise<ProviderResource | undefined>;
  /** How far the resource is. `not_found` where it is gone. */
  inspect(access: ProviderAccess, resourceId: string): Promise<ProviderResource>;
  /** What a program needs to use the resource, under the names of the catalog. Reads only. */
  readEnv(
    access: ProviderAccess,
    resource: {
      readonly resourceId: string;
      readonly config: Readonly<Record<string, unknown>>;
      readonly password: string;
    },
  ): Promise<ProviderEnv>;
  /** Destroys the resource. One that is gone already is done. */
  deprovision(access: ProviderAccess, resourceId: string): Promise<void>;
}
