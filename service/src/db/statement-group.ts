import { type Activity, observers } from "../foundation/telemetry/activities.ts";

/** The statements for which a caller holds a connection: a transaction, or a query outside of one. */
export interface StatementGroup {
  add(text: string): void;
  end(): void;
}

const SUMMARIES_MAX = 20;

/** Starts a span that begins with the wait for a connection. Returns undefined if nothing is traced. */
export function startStatementGroup(pool: string): StatementGroup | undefined {
  if (observers.startSpan === undefined) return undefined;
  const facts: Activity["facts"] = { "db.system.name": "postgresql", "purser.database_pool": pool };
  const activity: Activity = { kind: "statements", name: "query", facts };
  const span = observers.startSpan(activity);
  if (span === undefined) return undefined;
  const summaries = new Set<string>();
  return {
    add: (text) => {
      if (/^(begin|start transaction)/.test(text)) activity.name = "transaction";
      else if (summaries.size < SUMMARIES_MAX && text !== "commit") summaries.add(summaryOf(text));
    },
    end: () => {
      facts["db.query.summary"] = [...summaries].join(", ");
      span.end();
    },
  };
}

/** Returns the verb of a statement and its first table or function: `select payments`. Never a value. */
function summaryOf(text: string): string {
  const [verb = ""] = /[a-z]+/.exec(text.replace(/^\/\*.*?\*\/\s*/, "")) ?? [];
  const [, name = ""] = /\b(?:from|into|update)\s+"?([a-z_]+)/.exec(text) ?? /\b([a-z_]+)\(/.exec(text) ?? [];
  return `${verb} ${name}`.trim();
}
