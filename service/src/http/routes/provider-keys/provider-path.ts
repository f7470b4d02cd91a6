import { Type } from "typebox";
import { KEYED_PROVIDERS } from "../../../foundation/vocabulary.ts";
import { PROVIDER_KINDS } from "../../../modules/provider-keys/provider-kinds.ts";

/** A provider in a path, by its name or its kind. */
export const ProviderPath = Type.Object({
  provider: Type.Enum([...KEYED_PROVIDERS, ...PROVIDER_KINDS], {
    description: "The provider's name, or the kind of service it provides, such as `bundler`.",
  }),
});
