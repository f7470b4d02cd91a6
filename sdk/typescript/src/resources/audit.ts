import { type ExportAuditChainQuery, Audit as GeneratedAudit } from "../api-resources.ts";
import { readLines } from "../read-lines.ts";
import type { RequestOptions } from "../transport.ts";

export class Audit extends GeneratedAudit {
  /**
   * Streams a whole chain, oldest entry first. Each line is the canonical JSON of an `AuditEntry`. Store the lines
   * unchanged for `verifyAuditExport`. The request is sent when the first line is read.
   *
   * @throws APIConnectionError if the response is cut off, even after some lines were returned.
   */
  async *export(
    { chain }: Pick<ExportAuditChainQuery, "chain"> = {},
    options?: RequestOptions,
  ): AsyncGenerator<string, void, void> {
    const { data } = await this.transport().stream(
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
}
