import type { App } from "../../../app.ts";
import type { ListedPage, Page } from "../../../db/pages.ts";
import type { Row } from "../../../db/schema.ts";
import { redactedMessage } from "../../../foundation/redact.ts";
import { batchOf, insertRequests, listStoredRequests, type RequestFilter } from "./queries.ts";

type Access = Pick<App, "db" | "log" | "requestLog">;

/** Writes the requests buffered in this process to the database. Those that cannot be written are dropped. */
export async function writeRequestLog({ db, log, requestLog }: Access): Promise<void> {
  const { count, error } = await requestLog.flush(async (requests) => {
    const byKey = Map.groupBy(requests, ({ keyId }) => keyId);
    const batches = [...byKey].map(([keyId, own]) => batchOf(own, requestLog.takesTrim(keyId, own.length)));
    await insertRequests(db, batches, requestLog.keptPerKey);
  });
  if (count === 0) return;
  const reason = error === undefined ? "the buffer is full" : redactedMessage(error);
  log.warn({ count, reason }, "requests are missing in the request log");
}

/** Returns one page of the request log. Writes the requests buffered in this process first, so that the page includes them. */
export async function listRequests(
  app: Access,
  list: RequestFilter & Page<string>,
): Promise<ListedPage<Row<"loggedRequests">>> {
  await writeRequestLog(app);
  return listStoredRequests(app.db, list);
}
