import pg from "pg";
import { vi } from "vitest";
import { PreparedQuery } from "../src/db/prepared-query.ts";

/**
 * Makes a call. Returns its result, and for each round trip to the database the first words of the statements that were
 * sent, for example `begin select select`.
 */
export async function withRoundTrips<Result>(
  call: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly roundTrips: readonly string[] }> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    const result = await call();
    return { result, roundTrips: query.mock.calls.map(([sent]) => firstWordsOf(sent)) };
  } finally {
    query.mockRestore();
  }
}

function firstWordsOf(sent: unknown): string {
  const statements = sent instanceof PreparedQuery ? sent.statements : [{ text: String(sent) }];
  return statements.map(({ text }) => /^(?:\/\*.*?\*\/ )?\s*(\w+)/.exec(text)?.[1]).join(" ");
}
