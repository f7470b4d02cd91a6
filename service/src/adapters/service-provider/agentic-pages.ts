import type { ServiceList, ServicePage } from "./agentic-wire.ts";

const SERVICES_MAX = 200;
const PAGES_MAX = 20;
/** The characters of all pages. A longer list would be checked and compiled for too long while no request is answered. */
const LENGTH_MAX = 1_048_576;

/** The limits of a list of services, for an error message. */
export const SERVICE_LIST_LIMITS = `${SERVICES_MAX} services, ${PAGES_MAX} pages and 1 MiB`;

/** Reads a provider's list of services page by page. Returns undefined if it has too many services or pages, or is too long. */
export async function readServiceList(
  readPage: (query: { readonly cursor: string | undefined }) => Promise<ServicePage>,
): Promise<ServiceList | undefined> {
  let list: ServiceList = { data: [] };
  let cursor: string | undefined;
  let length = 0;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const { data, next_cursor, ...terms } = await readPage({ cursor });
    list = { ...terms, ...list, data: [...list.data, ...data] };
    length += JSON.stringify(data).length;
    if (list.data.length > SERVICES_MAX || length > LENGTH_MAX) return undefined;
    if (!next_cursor) return list;
    cursor = next_cursor;
  }
  return undefined;
}
