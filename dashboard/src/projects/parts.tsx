import type { Project, Service } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";

/** What every tab of a project gets. */
export interface TabProps {
  readonly project: Project;
}

export interface ServiceActionProps {
  readonly service: Service;
  readonly started: (operationId: string | undefined) => void;
}

/** The providers of the catalog. */
export function useCatalog(query: { readonly provider?: string; readonly q?: string } = {}) {
  const params = { query: { ...query, limit: 100 } };
  return hooks.useQuery("get", "/projects/catalog", { params }, { placeholderData: (former) => former });
}
