import type { ApiPromise } from "../api-promise.ts";
import type {
  ApiKey,
  AuthFailure,
  CreateApiKeyRequest,
  IssuedApiKey,
  RevokedApiKey,
  RotateApiKeyRequest,
  RotatedAccountPair,
  RotatedApiKey,
  TestSignature,
  TestSignatureRequest,
} from "../api-types.ts";
import type { PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { RequestOptions, Transport } from "../transport.ts";

const KEYS = "/developers/me/keys";

/** The two halves of a key pair. They are returned once: store them. */
export type KeyTexts = Pick<IssuedApiKey, "api_key" | "api_secret">;

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
  issue(body: CreateApiKeyRequest, options?: RequestOptions): ApiPromise<IssuedApiKey> {
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
    body: RotateApiKeyRequest = {},
    options?: RequestOptions,
  ): ApiPromise<RotatedApiKey> {
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
