import type { Column } from "../ui/lists/list-table.tsx";
import { Status, Time } from "../ui/values.tsx";

/** Columns that many lists have. */
export function timeColumn<Row>(title: string, at: (row: Row) => string | null, none?: string): Column<Row> {
  return { title, isMinor: true, csv: at, show: (row) => <Time at={at(row)} none={none} /> };
}

export function textColumn<Row>(title: string, text: (row: Row) => string | number): Column<Row> {
  return { title, isMinor: true, csv: text, show: text };
}

export function statusColumn<Row extends { readonly status: string }>(): Column<Row> {
  return { title: "Status", csv: ({ status }) => status, show: ({ status }) => <Status status={status} /> };
}
