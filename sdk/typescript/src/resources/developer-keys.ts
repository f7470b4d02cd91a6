import type { ApiPromise } from "../api-promise.ts";
import type { PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { Mode } from "../settings.ts";
import type { RequestOptions, Transport } from "../transport.ts";

const KEYS = "/developers/me/keys";

export interface ApiKey {
  readonly object: "api_key";
  readonly key_id: string;
  readonly name: string;
  readonly mode: Mode;
  readonly key_prefix: string;
  readonly key_hint: string;
  readonly signature_alg: "hmac-sha256" | "ed25519";
  readonly status: "active" | "rotating" | "expired" | "revoked" | "disabled";
  readonly scopes: readonly string[];
  readonly agent_ids: readonly string[];
  readonly project_ids: readonly string[];
  readonly ip_allowlist: readonly string[];
  readonly rate_limit_per_minute: number | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly created_at: string;
  readonly updated_at: string;
  readonly created_by: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  /** The network, not the address. */
  readonly last_used_ip: string | null;
  readonly rotated_from: string | null;
  readonly replaced_by: string | null;
  readonly grace_expires_at: string | null;
  readonly revoked_at: string | null;
  readonly revoke_reason: string | null;
}

export interface RevokedApiKey extends ApiKey {
  /** `last_live_key` where no live key is left. */
  readonly warnings?: readonly string[];
}

/** What is not said of the key's reach, limits and end is as the calling key's. It can never be more. */
export interface IssueKeyRequest {
  readonly name: string;
  /** Default: the caller's. A test key issues test keys only. */
  readonly mode?: Mode;
  readonly signature_alg?: "hmac-sha256" | "ed25519";
  /** Base64url, for `ed25519`. */
  readonly public_key?: string;
  readonly proof?: string;
  /** Default: all of the caller's but `approvals:write` and, for a test key, `audit:read`. */
  readonly scopes?: readonly string[];
  readonly agent_ids?: readonly string[];
  readonly project_ids?: readonly string[];
  /** Networks in CIDR form. */
  readonly ip_allowlist?: readonly string[];
  readonly expires_at?: string | null;
  readonly rate_limit_per_minute?: number | null;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The two texts of a pair, in the one answer that has them. The service keeps no secret: store them now. */
export interface KeyTexts {
  readonly api_key: string;
  /** Null for an Ed25519 key, which signs with a private key of your own. */
  readonly api_secret: string | null;
}

export interface IssuedKey extends ApiKey, KeyTexts {}

export interface RotateKeyRequest {
  /** How long the old key still works: up to a week, a day by default. 0: it does not. */
  readonly grace_period_seconds?: number;
  /** A compromised key has no grace. Default `scheduled`. */
  readonly reason?: "scheduled" | "compromised" | "personnel";
  /** For an Ed25519 key: another public key. */
  readonly public_key?: string;
  readonly proof?: string;
}

export interface RotatedKey extends KeyTexts {
  readonly key: ApiKey;
  readonly previous_key: Pick<ApiKey, "key_id" | "status" | "grace_expires_at">;
}

export interface RotatedAccountPair extends KeyTexts {
  readonly key: ApiKey;
  /** Null where the account had no pair of that mode. */
  readonly previous_key: { readonly key_id: string; readonly revoked_at: string } | null;
}

/** A request as you mean to sign it. */
export interface TestSignatureRequest {
  readonly method: string;
  /** In full, with its query. */
  readonly path: string;
  /** Unix seconds, as `X-Timestamp` says them. */
  readonly timestamp: string;
  /** Needed for an Ed25519 key. */
  readonly nonce?: string;
  readonly body?: string;
  readonly agent_id?: string;
  readonly idempotency_key?: string;
}

export interface TestSignature {
  readonly object: "test_signature";
  readonly key_id: string;
  readonly signature_alg: "hmac-sha256" | "ed25519";
  /** The text that the service checks a signature over. */
  readonly canonical: string;
  readonly also_accepted: readonly string[];
  readonly body_hash: string;
  readonly skew_seconds: number;
}

/** Refused requests under one of the developer's keys: alike ones of one minute are one. */
export interface AuthFailure {
  readonly object: "auth_failure";
  readonly key_id: string;
  readonly mode: Mode;
  readonly step: number;
  readonly reason: string;
  readonly skew_seconds: number | null;
  readonly network: string;
  readonly count: number;
  readonly first_at: string;
  readonly occurred_at: string;
  readonly request_id: string;
}

export class DeveloperKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Newest first: every key that is not revoked at once, then revoked ones page by page. A test caller sees its test keys only. */
  list(query: CursorQuery = {}, options?: RequestOptions): PagePromise<ApiKey> {
    return requestPages(this.#transport, KEYS, query, options);
  }

  /**
   * The pair is in this answer alone. Should it be lost on the way, the call that is tried again is a `ConflictError` with
   * the code `secret_already_issued`: revoke that key and issue another.
   */
  issue(body: IssueKeyRequest, options?: RequestOptions): ApiPromise<IssuedKey> {
    return this.#transport.request({ method: "POST", path: KEYS, access: "tenant", body }, options);
  }

  revoke(keyId: string, options?: RequestOptions): ApiPromise<RevokedApiKey> {
    return this.#transport.request(
      { method: "DELETE", path: path`/developers/me/keys/${keyId}`, access: "tenant" },
      options,
    );
  }

  /** Replaces a key by one that may do the same. The old one works on for its grace. */
  rotate(
    keyId: string,
    body: RotateKeyRequest = {},
    options?: RequestOptions,
  ): ApiPromise<RotatedKey> {
    const route = path`/developers/me/keys/${keyId}/rotate`;
    return this.#transport.request(
      { method: "POST", path: route, access: "tenant", body },
      options,
    );
  }

  /** Replaces the account's own pair, of the client's mode: the old one is refused from the next request on. */
  rotateAccountPair(options?: RequestOptions): ApiPromise<RotatedAccountPair> {
    return this.#transport.request(
      { method: "POST", path: "/developers/rotate-key", access: "dashboard" },
      options,
    );
  }

  /** What the service would check a request's signature over. For test keys only. */
  testSignature(
    keyId: string,
    body: TestSignatureRequest,
    options?: RequestOptions,
  ): ApiPromise<TestSignature> {
    const route = path`/developers/me/keys/${keyId}/test-signature`;
    return this.#transport.request(
      { method: "POST", path: route, access: "tenant", body },
      options,
    );
  }

  /** Why requests under the developer's keys were refused, newest first. */
  authFailures(query: CursorQuery = {}, options?: RequestOptions): PagePromise<AuthFailure> {
    return requestPages(this.#transport, "/developers/me/auth-failures", query, options);
  }
}
