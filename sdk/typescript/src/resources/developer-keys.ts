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

/** A key pair. It is returned only once, so store it. */
export type KeyTexts = Pick<IssuedApiKey, "api_key" | "api_secret">;

export class DeveloperKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Lists API keys, newest first. The first page has all keys that are not revoked; the next pages have the revoked ones.
   * Callers in test mode see test keys only.
   */
  list(query: CursorQuery = {}, options?: RequestOptions): PagePromise<ApiKey> {
    return requestPages(this.#transport, KEYS, query, options);
  }

  /**
   * Creates an API key. Only this response contains the secret.
   *
   * @throws ConflictError with code `secret_already_issued` if the response was lost and the call was retried. Revoke that
   * key and create another one.
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

  /** Replaces a key by one with the same permissions. The old key works until its grace period ends. */
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

  /** Replaces the account's key pair of the client's mode. The old pair is refused from the next request on. */
  rotateAccountPair(options?: RequestOptions): ApiPromise<RotatedAccountPair> {
    return this.#transport.request(
      { method: "POST", path: "/developers/rotate-key", access: "dashboard" },
      options,
    );
  }

  /** Returns the text and the signature that the server computes for a request, for debugging. Test keys only. */
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

  /** Lists failed authentications of requests with the developer's keys, newest first. */
  authFailures(query: CursorQuery = {}, options?: RequestOptions): PagePromise<AuthFailure> {
    return requestPages(this.#transport, "/developers/me/auth-failures", query, options);
  }
}
