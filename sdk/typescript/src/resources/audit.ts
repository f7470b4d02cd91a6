import type { ApiPromise } from "../api-promise.ts";
import type { AuditEntry, AuditVerification } from "../api-types.ts";
import type { AuditCheckpoint } from "../audit-checkpoints.ts";
import type { PagePromise } from "../paging.ts";
import { readLines } from "../read-lines.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { RequestOptions, Transport } from "../transport.ts";

export type AuditChain = AuditVerification["chain"];

export interface AuditQuery {
  /** The audit chain. Default: `tenant`. */
  readonly chain?: AuditChain;
}

export interface VerifyAuditQuery extends AuditQuery {
  /**
   * Starts at the chain's newest checkpoint in external storage instead of at the first entry. If that checkpoint does
   * not match the chain, the whole chain is checked. The response's `first_sequence` is the sequence number of the
   * first checked entry.
   */
  readonly since?: "checkpoint";
}

export interface ListAuditEntriesQuery extends AuditQuery, CursorQuery {
  /** Returns only entries with this action, for example `project.created`. */
  readonly action?: string;
  /** Returns only entries with this `subject.id`. */
  readonly subject_id?: string;
}

export interface ListAuditCheckpointsQuery extends AuditQuery, CursorQuery {}

export class Audit {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists audit entries, newest first. With a filter, a page can have few or no items although more pages follow. */
  entries(query: ListAuditEntriesQuery = {}, options?: RequestOptions): PagePromise<AuditEntry> {
    return requestPages(this.#transport, "/audit/entries", query, options);
  }

  /** Lists a chain's signed checkpoints, newest first. Use `verifyAuditExport` to verify them. */
  checkpoints(query: ListAuditCheckpointsQuery = {}, options?: RequestOptions): PagePromise<AuditCheckpoint> {
    return requestPages(this.#transport, "/audit/checkpoints", query, options);
  }

  /**
   * Streams a whole chain, oldest entry first. Each line is the canonical JSON of an `AuditEntry`. Store the lines
   * unchanged for `verifyAuditExport`. The request is sent when the first line is read.
   *
   * @throws APIConnectionError if the response is cut off, even after some lines were returned.
   */
  async *export({ chain }: AuditQuery = {}, options?: RequestOptions): AsyncGenerator<string, void, void> {
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

  /**
   * Recomputes a chain's hashes on the server and compares the chain with its newest checkpoint in external storage
   * (docs/api.md, section 14.2).
   */
  verify(query: VerifyAuditQuery = {}, options?: RequestOptions): ApiPromise<AuditVerification> {
    return this.#transport.request(
      { method: "GET", path: "/audit/verify", access: "tenant", query: { ...query } },
      options,
    );
  }
}
