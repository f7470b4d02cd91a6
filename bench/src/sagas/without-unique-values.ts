/** Replaces the values that differ between services (IDs, names, times, passwords) with their types. */
export function withoutUniqueValues(response: unknown): unknown {
  const unique = /^(service_id|operation_id|id|name|fingerprint|provider_resource_id|DATABASE_.*|PG.*|.*_?at)$/;
  return JSON.parse(JSON.stringify(response), (key, value) => {
    const isStep = key === "name" && /^[a-z_]+$/.test(value);
    return unique.test(key) && !isStep && typeof value === "string" ? typeof value : value;
  });
}
