import { Button, Group, Paper, Table, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef, useState } from "react";
import { downloadText, toCsv } from "../format.ts";
import { Bars } from "../page.tsx";
import { ProblemAlert } from "../problem-alert.tsx";

export interface Column<Row> {
  readonly title: string;
  readonly show: (row: Row) => ReactNode;
  /** The text in the CSV file. Without one, the column is not in the file. */
  readonly csv?: (row: Row) => string | number | boolean | null | undefined;
  readonly align?: "right";
  /** Hidden on narrow screens. */
  readonly isMinor?: boolean;
  /** Only in the CSV file. */
  readonly isHidden?: boolean;
}

/** The part of a paged query that the table needs. `useList` returns one. */
export interface Rows<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly loadMore: () => Promise<{ readonly rows: readonly Row[]; readonly hasMore: boolean }>;
}

/** Beyond this number, only the rows that are visible are in the document. */
const ROWS_RENDERED_MAX = 200;
const ROW_HEIGHT_PX = 41;
const CSV_PAGES_MAX = 200;

/** A list of the API: columns, "Load more", a CSV file of every row, and what to do while it is empty. */
export function ListTable<Row>({
  list,
  columns,
  rowKey,
  label,
  empty,
}: {
  readonly list: Rows<Row>;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Names the table for screen readers, and its CSV file: `Payments`. */
  readonly label: string;
  readonly empty: ReactNode;
}) {
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<unknown>();
  const { rows } = list;
  if (rows === undefined) return list.error ? <ProblemAlert error={list.error} /> : <Bars lines={6} />;
  if (rows.length === 0) return <>{empty}</>;
  const shown = columns.filter(({ isHidden }) => !isHidden);
  const run = (work: () => Promise<unknown>) => async () => {
    setLoading(true);
    setError(undefined);
    await work()
      .catch(setError)
      .finally(() => setLoading(false));
  };
  return (
    <Paper withBorder p={0}>
      <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} aria-label={label}>
        <Table verticalSpacing="xs" highlightOnHover aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              {shown.map(({ title, align, isMinor }) => (
                <Table.Th key={title} ta={align} {...(isMinor && { visibleFrom: "sm" as const })}>
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Body rows={rows} columns={shown} rowKey={rowKey} />
        </Table>
      </Table.ScrollContainer>
      <ProblemAlert error={error ?? list.error} />
      <Group justify="space-between" p="xs">
        <Text size="xs" c="dimmed">
          {rows.length} shown{list.hasMore ? ", there are more" : ""}
        </Text>
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconDownload size={14} />}
            loading={isLoading}
            onClick={run(() => downloadCsv(label, columns, list))}
          >
            CSV
          </Button>
          {list.hasMore && (
            <Button size="compact-sm" variant="default" loading={isLoading} onClick={run(list.loadMore)}>
              Load more
            </Button>
          )}
        </Group>
      </Group>
    </Paper>
  );
}

interface BodyProps<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
}

function Body<Row>(props: BodyProps<Row>) {
  if (props.rows.length > ROWS_RENDERED_MAX) return <VisibleRows {...props} />;
  return (
    <Table.Tbody>
      {props.rows.map((row) => (
        <Cells key={props.rowKey(row)} row={row} columns={props.columns} />
      ))}
    </Table.Tbody>
  );
}

/** Renders the rows near the viewport, between two empty rows with the height of the others. */
function VisibleRows<Row>({ rows, columns, rowKey }: BodyProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: 20,
    scrollMargin: body.current?.offsetTop ?? 0,
  });
  const shown = virtualizer.getVirtualItems();
  const before = (shown[0]?.start ?? 0) - virtualizer.options.scrollMargin;
  const after = virtualizer.getTotalSize() - ((shown.at(-1)?.end ?? 0) - virtualizer.options.scrollMargin);
  return (
    <Table.Tbody ref={body}>
      <tr style={{ height: Math.max(0, before) }} />
      {shown.map(({ index }) => {
        const row = rows[index];
        return row === undefined ? null : <Cells key={rowKey(row)} row={row} columns={columns} />;
      })}
      <tr style={{ height: Math.max(0, after) }} />
    </Table.Tbody>
  );
}

function Cells<Row>({ row, columns }: { readonly row: Row; readonly columns: readonly Column<Row>[] }) {
  return (
    <Table.Tr>
      {columns.map(({ title, show, align, isMinor }) => (
        <Table.Td key={title} ta={align} {...(isMinor && { visibleFrom: "sm" as const })}>
          {show(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

/** Loads the remaining pages, and saves every row. */
async function downloadCsv<Row>(label: string, columns: readonly Column<Row>[], list: Rows<Row>): Promise<void> {
  let { rows = [], hasMore } = list;
  for (let page = 0; hasMore && page < CSV_PAGES_MAX; page += 1) {
    const next = await list.loadMore();
    rows = next.rows;
    hasMore = next.hasMore;
  }
  if (hasMore) throw new Error(`The list is too long for one file: ${rows.length} rows were read. Filter it first.`);
  const saved = columns.filter(({ csv }) => csv !== undefined);
  const lines = rows.map((row) => saved.map(({ csv }) => String(csv?.(row) ?? "")));
  downloadText(
    `${label.toLowerCase().replaceAll(" ", "-")}.csv`,
    toCsv([saved.map(({ title }) => title), ...lines]),
    "text/csv",
  );
}
