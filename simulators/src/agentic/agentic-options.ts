/** A service in the format of `GET /provisioning/services`. */
export interface OfferedService {
  readonly id: string;
  readonly kind: "plan" | "deployable";
  readonly description: string;
  readonly categories: readonly string[];
  readonly allowed_updates: readonly (string | { readonly service: string })[];
  readonly pricing: {
    readonly type: "free" | "paid" | "component";
    readonly paid?: { readonly type: "freeform"; readonly freeform: string };
    readonly component?: {
      readonly options: readonly {
        readonly parent_service_ids: readonly string[];
        readonly type: "free" | "paid";
      }[];
    };
  };
}

/** How one provider that implements the protocol differs from others. */
export interface AgenticProviderShape {
  readonly vendor: string;
  readonly displayName: string;
  readonly services: readonly OfferedService[];
  /** Undefined if the list of services has one page. */
  readonly servicesPerPage?: number;
  /** Who pays the provider: the account's owner, or the orchestrator with a payment token. */
  readonly paymentCredentials: "provider" | "orchestrator";
  /** Whether a user must give consent before an account can be used, even a new one. */
  readonly alwaysAsks: boolean;
  /** Time until a new deployable is ready, in milliseconds. */
  readonly readyAfterMs: number;
  /** Whether credentials are returned only once: when they are issued, or by the first call after that. */
  readonly showsCredentialsOnce: boolean;
  readonly hasDeepLinks: boolean;
  /** Whether the provider revokes tokens (RFC 7009). */
  readonly revokesTokens: boolean;
  /** Whether the list of services contains the terms. If not, only the configuration does. */
  readonly listsTerms: boolean;
  /** Returns a resource's credentials. */
  readonly credentialsOf: (resource: {
    readonly id: string;
    readonly secret: string;
  }) => Readonly<Record<string, string>>;
  /** Faults, to check that the provider kit finds them. */
  readonly faults?: readonly ("rotates_to_same_secret" | "forgets_to_remove" | "forgets_to_revoke")[];
}

/** Returns the terms of a simulated provider. */
export function termsOf({ vendor }: AgenticProviderShape) {
  return { version: "2026-11", url: `https://${vendor}.invalid/terms` };
}

export interface AgenticSimulatorOptions {
  readonly shape: AgenticProviderShape;
  /** The redirect URIs in the client's metadata document. The first one is used. */
  readonly redirectUris: readonly string[];
}

/** The URL of the client's metadata document. The simulators do not read it. */
export const AGENTIC_CLIENT_ID = "https://purser.sandbox.invalid/client.json";
