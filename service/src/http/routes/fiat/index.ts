import { type Route, withTag } from "../../route.ts";
import { getBankAccountRoute, listBankAccountsRoute, removeBankAccountRoute } from "./bank-accounts.ts";
import { executeConversionRoute, offRampRoute, onRampRoute } from "./convert.ts";
import { getRateRoute } from "./get-rate.ts";
import { linkAccountRoute } from "./link-account.ts";
import { cancelConversionRoute, getConversionRoute, listConversionsRoute } from "./read-conversions.ts";
import { verifyAccountRoute } from "./verify-account.ts";

export const fiatRoutes: readonly Route[] = withTag("Fiat", [
  linkAccountRoute,
  verifyAccountRoute,
  listBankAccountsRoute,
  getBankAccountRoute,
  removeBankAccountRoute,
  getRateRoute,
  onRampRoute,
  offRampRoute,
  listConversionsRoute,
  getConversionRoute,
  executeConversionRoute,
  cancelConversionRoute,
]);
