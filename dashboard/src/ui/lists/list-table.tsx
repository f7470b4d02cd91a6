import { Button, Group, Paper, Table, Text } from "@mantine/core";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { memo, type ReactNode, useRef, useState } from "react";
import { downloadText, toCsv } from "../format.ts";
import { IconDownload } from "../icons/icons.ts";
import { Loaded } from "../page.tsx";
import { ProblemAlert } from "../problem-alert.tsx";
import type { Column } from "./columns.tsx";
import type { useListFilters } from "./filters.tsx";

/** The part of a query that the table needs. `pagedRows`, `allRows` and `rowsOf` return one. */
export interface RowList<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly loadMore: () => Promise<{ readonly rows: readonly Row[]; readonly hasMore: boolean }>;
}

/** Beyond this number, only the rows that are visible are in the document. */
const ROWS_RENDERED_MAX = 200;
const ROW_HEIGHT_PX = 41;
const CSV_PAGES_MAX = 200;

interface TableProps<Row> {
  readonly list: RowList<Row>;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Names the table for screen readers, and its CSV file: `Payments`. */
  readonly label: string;
  /** What is shown if there is nothing yet. */
  readonly empty: ReactNode;
  readonly filters?: Pick<ReturnType<typeof useListFilters>, "bar" | "isFiltered">;
}

/** A list of the API: filters, columns, "Load more", a CSV file of every row, and what to do while it is empty. */
export function ListTable<Row>({ filters, ...props }: TableProps<Row>) {
  const { rows, error, hasMore } = props.list;
  const empty = filters?.isFiltered ? <Text fw={600}>Nothing matches the filters.</Text> : props.empty;
  return (
    <>
      {filters?.bar}
      <Loaded query={{ data: rows, error }} lines={6}>
        {(loaded) => (loaded.length === 0 && !hasMore ? empty : <Rows {...props} rows={loaded} />)}
      </Loaded>
    </>
  );
}

function Rows<Row>({ list, rows, columns, rowKey, label }: TableProps<Row> & { rows: readonly Row[] }) {
  const shown = columns.filter(({ show }) => show !== undefined);
  return (
    <Paper withBorder p={0}>
      <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} aria-label={label}>
        <Table verticalSpacing="xs" highlightOnHover aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {shown.map((column) => (
                <Table.Th key={column.title} {...lookOf(column)}>
                  {column.title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Body rows={rows} columns={shown} rowKey={rowKey} />
        </Table>
      </Table.ScrollContainer>
      <Footer list={list} save={() => downloadCsv(label, columns, list)} />
    </Paper>
  );
}

function lookOf<Row>({ align, isMinor }: Column<Row>) {
  return { ta: align, ...(isMinor && { visibleFrom: "sm" as const }) };
}

function Footer<Row>({ list, save }: { list: RowList<Row>; save: () => Promise<void> }) {
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = (work: () => Promise<unknown>) => () => {
    setLoading(true);
    setError(null);
    void work()
      .catch(setError)
      .finally(() => setLoading(false));
  };
  const look = { size: "compact-sm", loading: isLoading } as const;
  return (
    <>
      <ProblemAlert error={error ?? list.error} />
      <Group justify="space-between" p="xs">
        <Text size="xs" c="dimmed">
          {list.rows?.length} shown{list.hasMore && ", there are more"}
        </Text>
        <Group gap="xs">
          <Button {...look} variant="subtle" leftSection={<IconDownload size={14} />} onClick={run(save)}>
            CSV
          </Button>
          {list.hasMore && (
            <Button {...look} variant="default" onClick={run(list.loadMore)}>
              Load more
            </Button>
          )}
        </Group>
      </Group>
    </>
  );
}

/** Renders many rows only near the viewport, between two empty rows with the height of the others. */
function Body<Row>({ rows, columns, rowKey }: Pick<TableProps<Row>, "columns" | "rowKey"> & { rows: readonly Row[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const isLong = rows.length > ROWS_RENDERED_MAX;
  const virtualizer = useWindowVirtualizer({
    ...{ count: rows.length, enabled: isLong, estimateSize: () => ROW_HEIGHT_PX, overscan: 4 },
    scrollMargin: body.current?.offsetTop ?? 0,
  });
  const items = virtualizer.getVirtualItems();
  const { scrollMargin } = virtualizer.options;
  const before = (items[0]?.start ?? scrollMargin) - scrollMargin;
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin);
  const visible = isLong ? rows.slice(items[0]?.index ?? 0, (items.at(-1)?.index ?? -1) + 1) : rows;
  return (
    <Table.Tbody ref={body}>
      {isLong && <tr style={{ height: Math.max(0, before) }} />}
      {visible.map((row) => (
        <Cells key={rowKey(row)} row={row} columns={columns} />
      ))}
      {isLong && <tr style={{ height: Math.max(0, after) }} />}
    </Table.Tbody>
  );
}

/** Rows that stay visible are not rendered again while the user scrolls. */
const Cells = memo(function Cells<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return (
    <Table.Tr>
      {columns.map((column) => (
        <Table.Td key={column.title} {...lookOf(column)}>
          {column.show?.(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}) as <Row>(props: { row: Row; columns: readonly Column<Row>[] }) => ReactNode;

/** Loads the remaining pages, and saves every row. */
async function downloadCsv<Row>(label: string, columns: readonly Column<Row>[], list: RowList<Row>): Promise<void> {
  let { rows = [], hasMore } = list;
  for (let page = 0; hasMore && page < CSV_PAGES_MAX; page += 1) ({ rows, hasMore } = await list.loadMore());
  if (hasMore) throw new Error(`The list is too long for one file: ${rows.length} rows were read. Filter it first.`);
  const saved = columns.filter(({ csv }) => csv !== undefined);
  const lines = rows.map((row) => saved.map(({ csv }) => String(csv?.(row) ?? "")));
  const name = `${label.toLowerCase().replaceAll(" ", "-")}.csv`;
  downloadText(name, toCsv([saved.map(({ title }) => title), ...lines]), "text/csv");
}
