import { Type } from "typebox";
import { Nullable } from "../../../../foundation/wire/common.ts";
import type { IssuedApiKey } from "../../../../modules/developers/index.ts";
import { ApiKeyOut, presentApiKey } from "../presenter.ts";

/** The two texts of a pair, in the one answer that has them. */
export const pairFields = {
  api_key: Type.String({ description: "Shown once." }),
  api_secret: Nullable(
    Type.String({ description: "Shown once. Null where the key signs with a private key." }),
  ),
};

export const IssuedApiKeyOut = Type.Object(
  { ...ApiKeyOut.properties, ...pairFields },
  { $id: "IssuedApiKey" },
);

/** A new key's entry together with its texts. */
export function presentIssuedApiKey(now: Date) {
  return ({ key, ...texts }: IssuedApiKey) => ({
    ...presentApiKey(key, now),
    ...presentPair(texts),
  });
}

export function presentPair({ apiKey, apiSecret }: Pick<IssuedApiKey, "apiKey" | "apiSecret">) {
  return { api_key: apiKey, api_secret: apiSecret };
}
