/** The gas of one transaction, in gas. */
export interface Figure {
  readonly name: string;
  readonly gas: bigint;
  /** The most that it may be. Without one, the figure is only reported. */
  readonly goal?: bigint;
}

/** The gas of an account's usual transactions. */
export interface AccountFigures {
  readonly account: string;
  readonly createAndTransfer: bigint;
  /** Or why there is no figure, for example `refused`. */
  readonly selfPaidTransfer: bigint | string;
  readonly sponsoredTransfer: bigint;
}

/** An account that is in the table without figures. */
export interface MissingAccount {
  readonly account: string;
  readonly missing: string;
}

/** Returns what the figures miss, in plain words. */
export function missedGoals(figures: readonly Figure[]): string[] {
  return figures.flatMap(({ name, gas, goal }) =>
    goal !== undefined && gas > goal ? [`${name}: ${format(gas)} gas, at most ${format(goal)}`] : [],
  );
}

/** Returns the tables as Markdown. */
export function gasTables(accounts: readonly (AccountFigures | MissingAccount)[], figures: readonly Figure[]): string {
  return [
    row("Account", "Create and transfer", "Transfer, self-paid", "Transfer, sponsored"),
    row("---", "---:", "---:", "---:"),
    ...accounts.map(accountRow),
    "",
    row("Transaction", "Gas", "Goal"),
    row("---", "---:", "---:"),
    ...figures.map(({ name, gas, goal }) =>
      row(name, format(gas), goal === undefined ? "" : `at most ${format(goal)}`),
    ),
  ].join("\n");
}

function accountRow(figures: AccountFigures | MissingAccount): string {
  if ("missing" in figures) return row(figures.account, figures.missing, "", "");
  const { account, createAndTransfer, selfPaidTransfer, sponsoredTransfer } = figures;
  return row(account, format(createAndTransfer), format(selfPaidTransfer), format(sponsoredTransfer));
}

function row(...cells: string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function format(gas: bigint | string): string {
  return gas.toLocaleString("en-US");
}
