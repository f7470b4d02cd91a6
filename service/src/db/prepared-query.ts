import type pg from "pg";
import { prepareValue } from "pg/lib/utils.js";

/** A result column: its property name in the row and the parser for its text. */
interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** The columns of a connection's prepared statements, by statement name. */
export type KnownColumns = Map<string, readonly Column[]>;

export interface PreparedStatement {
  /** Empty if the statement is prepared for this call only. */
  readonly name: string;
  readonly text: string;
  /** As converted by `valueText`. */
  readonly values: readonly (string | Uint8Array | null)[];
}

export interface RowReader {
  readonly known: KnownColumns;
  readonly columnName: (name: string) => string;
  readonly typeParser: (oid: number) => (text: string) => unknown;
}

export interface QueryResult {
  readonly command: string;
  readonly rowCount: number;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** The driver's connection, including members that its types do not declare. */
type Connection = pg.Connection & {
  readonly parsedStatements: Readonly<Record<string, string>>;
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(portal: { readonly statement: string; readonly values: readonly unknown[] }): void;
  describe(portal: { readonly type: "P" }): void;
  execute(portal: object): void;
};

interface BoundStatement extends PreparedStatement {
  /** Undefined if the server must describe them. */
  readonly columns: readonly Column[] | undefined;
}

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/**
 * Runs statements in one round trip. The server executes them in order and skips the rest after an error. The result is
 * that of the statement at `resultIndex`.
 *
 * The driver's own class asks the server for a description of the columns on every call; this class asks only once per
 * connection and statement. If a migration changes the columns, the server rejects the prepared statement.
 *
 * The client calls the methods in the order of their declaration, from `handleRowDescription` to `handleCommandComplete`
 * once per statement.
 */
export class PreparedQuery implements pg.Submittable {
  readonly statements: readonly BoundStatement[];
  /** In milliseconds. The client reads this and ends the query after this time. */
  readonly query_timeout: number;
  /** The client replaces this with a function that also clears its timeout. */
  callback: (error: unknown, result?: QueryResult) => void;
  readonly #reader: RowReader;
  readonly #resultIndex: number;
  #result: QueryResult = { command: "", rowCount: 0, rows: [] };
  /** The index of the statement whose response is being read. */
  #index = 0;
  #columns: readonly Column[] = [];
  #rows: Record<string, unknown>[] = [];
  #unreadable: unknown;

  constructor(
    statements: readonly PreparedStatement[],
    options: {
      readonly reader: RowReader;
      readonly timeoutMs: number;
      readonly resultIndex: number;
      readonly callback: PreparedQuery["callback"];
    },
  ) {
    this.statements = statements.map((statement) => ({
      ...statement,
      columns: options.reader.known.get(statement.name),
    }));
    this.#reader = options.reader;
    this.#resultIndex = options.resultIndex;
    this.query_timeout = options.timeoutMs;
    this.callback = options.callback;
  }

  /** The client records that the statement with this name and text is prepared. */
  get name(): string {
    return this.#current?.name ?? "";
  }

  get text(): string {
    return this.#current?.text ?? "";
  }

  get #current(): BoundStatement | undefined {
    return this.statements[this.#index];
  }

  readonly submit = (driverConnection: pg.Connection): void => {
    const connection = driverConnection as Connection;
    // Buffers the messages, so that they are sent in one packet.
    connection.stream.cork();
    const parsed = new Set<string>();
    try {
      for (const { name, text, values, columns } of this.statements) {
        const isParsed = parsed.has(name) || connection.parsedStatements[name] !== undefined;
        if (!isParsed) connection.parse({ name, text });
        if (name !== "") parsed.add(name);
        connection.bind({ statement: name, values });
        if (columns === undefined) connection.describe({ type: "P" });
        connection.execute({});
      }
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  };

  handleRowDescription({ fields }: RowDescription): void {
    const { columnName, typeParser } = this.#reader;
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name: columnName(name),
      parse: typeParser(dataTypeID),
    }));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#index !== this.#resultIndex) return;
    try {
      const row: Record<string, unknown> = {};
      let index = 0;
      for (const { name, parse } of this.#current?.columns ?? this.#columns) {
        const text = fields[index] ?? null;
        row[name] = text === null ? null : parse(text);
        index += 1;
      }
      this.#rows.push(row);
    } catch (error) {
      this.#unreadable = error;
    }
  }

  /** `text` is the command tag, for example `INSERT 0 1` or `SELECT 3`. */
  handleCommandComplete({ text }: { readonly text: string }): void {
    if (this.#index === this.#resultIndex) {
      const words = text.split(" ");
      const rowCount = Number(words.at(-1)) || 0;
      this.#result = { command: words[0] ?? "", rowCount, rows: this.#rows };
    }
    if (this.name !== "" && this.#current?.columns === undefined) {
      this.#reader.known.set(this.name, this.#columns);
    }
    this.#index += 1;
    this.#columns = [];
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    if (this.#unreadable !== undefined) this.callback(this.#unreadable);
    else this.callback(null, this.#result);
  }

  handleError(error: unknown): void {
    this.callback(error);
  }
}

/** Converts a value to the text or bytes that are sent to the server. */
export function valueText(value: unknown): string | Uint8Array | null {
  if (typeof value === "string") return value;
  return value instanceof Date ? value.toISOString() : prepareValue(value);
}
