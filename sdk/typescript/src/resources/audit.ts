import type { ApiPromise } from "../api-promise.ts";
import type { RequestOptions, Transport } from "../transport.ts";

export type AuditChain = "tenant" | "provider_keys";

export interface AuditVerification {
  /** False on any mismatch; null when the anchor could not be asked. */
  readonly valid: boolean | null;
  readonly chain: AuditChain;
  readonly entries_checked: number;
  readonly first_sequence: number | null;
  readonly last_sequence: number | null;
  readonly genesis_hash: string;
  readonly head_hash: string;
  readonly broken_at: {
    readonly sequence: number;
    readonly reason: "hash_mismatch" | "prev_hash_mismatch" | "sequence_gap" | "missing_entry";
    readonly expected: string;
    readonly actual: string;
  } | null;
  readonly anchor: {
    readonly status: "matched" | "mismatch" | "pending" | "unavailable";
    readonly type?: string;
    readonly anchored_sequence?: number;
    readonly anchored_hash?: string;
    readonly anchored_at?: string;
    readonly reference?: string;
    readonly unanchored_entries?: number;
  };
  readonly truncation_detected: boolean;
  readonly checked_at: string;
}

export class Audit {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Has the service compute a chain's hashes again and compare them with the anchor. Default: `tenant`. */
  verify(
    query: { readonly chain?: AuditChain } = {},
    options?: RequestOptions,
  ): ApiPromise<AuditVerification> {
    return this.#transport.request(
      { method: "GET", path: "/audit/verify", access: "tenant", query },
      options,
    );
  }
}
