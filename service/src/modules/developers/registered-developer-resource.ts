import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { DeveloperResource, presentDeveloper } from "./developer-resource.ts";
import { ApiKeyResource, pairFields, presentApiKey, presentPair } from "./keys/api-key-resource.ts";
import type { RegisteredDeveloper } from "./register-developer.ts";

/** A registered developer with the account's first key pair. */
export const RegisteredDeveloperResource = Type.Object(
  {
    developer: DeveloperResource,
    key: ApiKeyResource,
    ...pairFields,
    warning: Type.String({
      description: "A reminder to store the key pair, because it is shown only once.",
    }),
  },
  {
    $id: "RegisteredDeveloper",
    description: "A registered developer and the account's first key pair. The key pair is shown only once.",
  },
);

export function presentRegisteredDeveloper(
  app: Pick<App, "clock" | "settings">,
  { developer, key, ...pair }: RegisteredDeveloper,
): Static<typeof RegisteredDeveloperResource> {
  return {
    developer: presentDeveloper(app, developer),
    key: presentApiKey(key, app.clock.now()),
    ...presentPair(pair),
    warning: "shown once",
  };
}
