import type { Route } from "../../../route.ts";
import { approvePageRoutes } from "./approve.ts";

export const pageApproveRoutes: readonly Route[] = [approvePageRoutes];
