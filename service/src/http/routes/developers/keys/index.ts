import type { Route } from "../../../route.ts";
import { createApiKeyRoute } from "./create-api-key.ts";
import { listApiKeysRoute } from "./list-api-keys.ts";
import { revokeApiKeyRoute } from "./revoke-api-key.ts";
import { rotateAccountPairRoute } from "./rotate-account-pair.ts";
import { rotateApiKeyRoute } from "./rotate-api-key.ts";
import { testSignatureRoute } from "./test-signature.ts";

export const keyRoutes: readonly Route[] = [
  listApiKeysRoute,
  createApiKeyRoute,
  revokeApiKeyRoute,
  rotateApiKeyRoute,
  rotateAccountPairRoute,
  testSignatureRoute,
];
