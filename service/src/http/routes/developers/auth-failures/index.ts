import type { Route } from "../../../route.ts";
import { listAuthFailuresRoute } from "./list-auth-failures.ts";

export const authFailureRoutes: readonly Route[] = [listAuthFailuresRoute];
