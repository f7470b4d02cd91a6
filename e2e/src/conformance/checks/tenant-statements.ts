import { currentConnectionShare } from "@purser/service/foundation/connection-share.ts";
import pg from "pg";

/** A statement as it was sent, and the connection that sent it. */
interface SentStatement {
  readonly client: object;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether a request sent it. Otherwise, a job did. */
  readonly isOfRequest: boolean;
}

export interface RecordedStatements {
  readonly sent: readonly SentStatement[];
  stop(): void;
}

/** Records the statements of all connections of this process. */
export function recordStatements(): RecordedStatements {
  const sent: SentStatement[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...call: unknown[]) {
    // What the service sends itself is prepared. DBOS and migrations send text.
    const isOfRequest = "statements" in Object(call[0]) && currentConnectionShare().pool !== "jobs";
    for (const { text, values } of statementsOf(call)) sent.push({ client: this, text, values, isOfRequest });
    return Reflect.apply(query, this, call);
  };
  return {
    sent,
    stop: () => {
      pg.Client.prototype.query = query;
    },
  };
}

function statementsOf([first, second]: readonly unknown[]): readonly Pick<SentStatement, "text" | "values">[] {
  const { statements, text, values } = Object(first);
  if (Array.isArray(statements)) return statements;
  const given = values ?? second;
  return [{ text: String(text ?? first), values: Array.isArray(given) ? given : [] }];
}

const COMMENTS = /\/\*.*?\*\//gs;
const NAMED = /\b(?:from|join|into|update|using)\s+(?:only\s+)?(?:"?public"?\.)?"?(\w+)"?/gi;
/** The tenant is compared with a value, alone or in a row. */
const CONDITION =
  /tenant_id"?\s*=\s*(?:any\(|\$\d|cast\()|\("?(?:\w+"?\."?)?tenant_id"?,[^)]*\)\s*(?:=|in\b)\s*\(?\(?\$/i;
const INSERT = /\binsert into [^(]*\([^)]*"?tenant_id"?/i;

/** Returns the texts of requests' statements that name one of the tables and no tenant. */
export function statementsWithoutTenant(
  sent: readonly SentStatement[],
  tables: ReadonlySet<string>,
): readonly string[] {
  const texts = new Set(sent.filter(({ isOfRequest }) => isOfRequest).map(({ text }) => text.replace(COMMENTS, "")));
  return [...texts].filter((text) => {
    const namesTable = [...text.matchAll(NAMED)].some(([, name = ""]) => tables.has(name));
    return namesTable && !CONDITION.test(text) && !INSERT.test(text);
  });
}

/**
 * Returns the transactions, of requests and jobs, of which the values are more than one tenant, by their statements. What an audit entry
 * says about another tenant does not count.
 */
export function transactionsOfSeveralTenants(sent: readonly SentStatement[]) {
  const open = new Map<object, SentStatement[]>();
  const ended: SentStatement[][] = [];
  for (const statement of sent) {
    const text = statement.text.replace(COMMENTS, "").trim().toLowerCase();
    if (/^(begin|start transaction)/.test(text)) open.set(statement.client, []);
    const transaction = open.get(statement.client);
    transaction?.push(statement);
    // Alone, a statement is a transaction of its own.
    if (transaction === undefined) ended.push([statement]);
    else if (/^(commit|rollback)$/.test(text)) {
      ended.push(transaction);
      open.delete(statement.client);
    }
  }
  const found = ended.filter((statements) => tenantsIn(statements).size > 1);
  return {
    transactions: ended.length,
    found: found.map((statements) => statements.map(({ text }) => text).join("; ")),
  };
}

const TENANT = /^(?:dev_\w+|sys_operator)$/;

function tenantsIn(statements: readonly SentStatement[]): ReadonlySet<string> {
  return new Set(statements.flatMap(({ values }) => values.map(String).filter((value) => TENANT.test(value))));
}
