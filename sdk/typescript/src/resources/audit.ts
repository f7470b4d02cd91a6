import type { ApiPromise } from "../api-promise.ts";
import type { AuditEntry, AuditVerification } from "../api-types.ts";
import type { AuditCheckpoint } from "../audit-checkpoints.ts";
import type { PagePromise } from "../paging.ts";
import { readLines } from "../read-lines.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { RequestOptions, Transport } from "../transport.ts";

export type AuditChain = AuditVerification["chain"];

/** Which chain. Default: `tenant`. */
export interface AuditQuery {
  readonly chain?: AuditChain;
}

export interface VerifyAuditQuery extends AuditQuery {
  /** Begin at the last checkpoint that the anchor has, instead of at the chain's start. `first_sequence` says where. */
  readonly since?: "checkpoint";
}

export interface ListAuditEntriesQuery extends AuditQuery, CursorQuery {
  readonly action?: string;
  readonly subject_id?: string;
}

export interface ListAuditCheckpointsQuery extends AuditQuery, CursorQuery {}

export class Audit {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Newest first. A page that a filter has left short, or empty, need not be the last. */
  entries(query: ListAuditEntriesQuery = {}, options?: RequestOptions): PagePromise<AuditEntry> {
    return requestPages(this.#transport, "/audit/entries", query, options);
  }

  /** The signed statements about a chain, newest first. What they are worth, `verifyAuditExport` finds out. */
  checkpoints(
    query: ListAuditCheckpointsQuery = {},
    options?: RequestOptions,
  ): PagePromise<AuditCheckpoint> {
    return requestPages(this.#transport, "/audit/checkpoints", query, options);
  }

  /**
   * A whole chain, oldest first, a line at a time as it comes: each the canonical JSON of an `AuditEntry`. Keep the lines as
   * they are, since `verifyAuditExport` takes no others. Nothing is asked for before the first line is.
   *
   * @throws APIConnectionError where it breaks off, however many lines have come by then.
   */
  async *export(
    { chain }: AuditQuery = {},
    options?: RequestOptions,
  ): AsyncGenerator<string, void, void> {
    const { data } = await this.#transport.stream(
      {
        method: "GET",
        path: "/audit/export",
        access: "tenant",
        query: { chain, format: "jsonl" },
        accept: "application/x-ndjson, application/problem+json",
      },
      options,
    );
    yield* readLines(data);
  }

  /** Has the service compute a chain's hashes again and compare them with the anchor. */
  verify(query: VerifyAuditQuery = {}, options?: RequestOptions): ApiPromise<AuditVerification> {
    return this.#transport.request(
      { method: "GET", path: "/audit/verify", access: "tenant", query: { ...query } },
      options,
    );
  }
}
