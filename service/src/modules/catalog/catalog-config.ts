import { Ajv, type ValidateFunction } from "ajv";

interface Configurable {
  readonly config_schema: object;
}

/** By schema, because a configured provider can change it. */
const validators = new WeakMap<object, ValidateFunction>();

/**
 * Compiles the schemas of the services' `config`. Throws if one of them is not valid. The validator is new for each call,
 * because it keeps every schema that it has compiled, and the schemas of configured providers are read again and again.
 * Use `allErrors` only for trusted schemas, because the number of errors is the product of the sizes of schema and value.
 */
export function compileConfigSchemas(
  services: readonly Configurable[],
  { allErrors }: { readonly allErrors: boolean },
): void {
  const ajv = new Ajv({ allErrors, strict: false, verbose: true, logger: false });
  for (const { config_schema } of services) {
    if (!validators.has(config_schema)) validators.set(config_schema, ajv.compile(config_schema));
  }
}

/** Returns the validator of the `config` of a service in the catalog. */
export function configValidatorOf({ config_schema }: Configurable): ValidateFunction {
  const validate = validators.get(config_schema);
  if (validate === undefined) throw new Error("the schema is not in the catalog");
  return validate;
}
