import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import { claimUncheckedAccount, type Link, uncheckedLinks } from "./queries.ts";

const CHECK_EVERY_MS = 3_600_000;

/** An active link to an account whose resources were not compared with the services in the last hour. */
export interface UncheckedAccount extends Pick<Link, "tenantId" | "linkId" | "provider"> {
  /**
   * Returns true to only one caller for all links to the account. The others, including other processes, need not check
   * it.
   */
  readonly claim: () => Promise<boolean>;
}

/** Yields the accounts at this process's providers whose resources are to be compared with the services. */
export async function* uncheckedAccounts(
  app: Pick<App, "db" | "clock" | "providers">,
): AsyncGenerator<UncheckedAccount> {
  const at = app.clock.now();
  const before = new Date(at.getTime() - CHECK_EVERY_MS);
  const providers = [...app.providers.keys()];
  for await (const link of uncheckedLinks(app.db, before, providers)) {
    const claim = () => withTransaction(app.db, link.tenantId, (tx) => claimUncheckedAccount(tx, link, { before, at }));
    yield { ...link, claim };
  }
}
