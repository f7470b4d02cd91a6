import { Text } from "@mantine/core";
import type { Project, Service } from "../api/api-types.ts";
import { hooks } from "../api/client.ts";
import { CopyText } from "../ui/copy-text.tsx";
import type { Column } from "../ui/lists/list-table.tsx";
import { Amount, Status, Time } from "../ui/values.tsx";

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

type TextOf<Row> = (row: Row) => string | number;

export function textColumn<Row>(title: string, text: TextOf<Row>, isMinor = false): Column<Row> {
  return { title, csv: text, show: text, isMinor };
}

export function codeColumn<Row>(title: string, text: (row: Row) => string): Column<Row> {
  const show = (row: Row) => (
    <Text size="sm" ff="monospace" style={{ overflowWrap: "anywhere" }}>
      {text(row)}
    </Text>
  );
  return { title, csv: text, show };
}

export function idColumn<Row>(title: string, id: (row: Row) => string): Column<Row> {
  const show = (row: Row) => <CopyText text={id(row)} shown={shortId(id(row))} what={`id: ${title}`} />;
  return { title, csv: id, isMinor: true, show };
}

/** Returns the start and the end of an id: `proj_…ffck54`. */
export function shortId(id: string): string {
  return id.length <= 14 ? id : `${/^[a-z]+_/.exec(id)?.[0] ?? ""}…${id.slice(-6)}`;
}

export function timeColumn<Row>(title: string, at: (row: Row) => string | null, isMinor = true): Column<Row> {
  return { title, csv: at, isMinor, show: (row) => <Time at={at(row)} /> };
}

export function amountColumn<Row extends { readonly amount: string }>(): Column<Row> {
  const show = ({ amount }: Row) => <Amount amount={amount} currency="USD" />;
  return { title: "Amount", align: "right", csv: ({ amount }) => amount, show };
}

export function statusColumn<Row extends { readonly status: string }>(): Column<Row> {
  return { title: "Status", csv: ({ status }) => status, show: ({ status }) => <Status status={status} /> };
}
