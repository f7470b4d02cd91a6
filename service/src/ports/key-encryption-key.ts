/**
 * The key that wraps data keys. It lives outside the database: in a file of the local profile, in a KMS elsewhere.
 * Both calls may go over a network, so they never stand inside a transaction.
 */
export interface KeyEncryptionKey {
  /** Names the key that `wrap` uses now; kept beside what it wrapped. */
  readonly id: string;
  /** Wraps 32 bytes for one tenant. The context is authenticated: what was wrapped for one tenant opens for no other. */
  wrap(dataKey: Uint8Array, context: WrapContext): Promise<Buffer>;
  /** Opens what `wrap` made under the key named `id`. Rejects on another context, another key, and when it cannot answer. */
  unwrap(wrapped: Uint8Array, id: string, context: WrapContext): Promise<Buffer>;
}

export interface WrapContext {
  readonly tenantId: string;
  readonly version: number;
}
