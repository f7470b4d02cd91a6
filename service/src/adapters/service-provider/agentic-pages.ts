import type { ServiceList, ServicePage } from "./agentic-wire.ts";

const SERVICES_MAX = 200;
const PAGES_MAX = 20;

/** Reads a provider's list of services page by page. Returns undefined if it has too many services or pages. */
export async function readServiceList(
  readPage: (query: { readonly cursor: string | undefined }) => Promise<ServicePage>,
): Promise<ServiceList | undefined> {
  let list: ServiceList = { data: [] };
  let cursor: string | undefined;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const { data, next_cursor, ...terms } = await readPage({ cursor });
    list = { ...terms, ...list, data: [...list.data, ...data] };
    if (list.data.length > SERVICES_MAX) return undefined;
    if (!next_cursor) return list;
    cursor = next_cursor;
  }
  return undefined;
}
