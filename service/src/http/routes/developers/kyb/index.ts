import type { Route } from "../../../route.ts";
import { verifyKybRoute } from "./verify-kyb.ts";

export const kybRoutes: readonly Route[] = [verifyKybRoute];
