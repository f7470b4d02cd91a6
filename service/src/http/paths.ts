/**
 * Returns true if the path is canonical: no escapes, empty segments, dot segments, semicolons or trailing slash
 * (docs/rules/requests.md). Any other path is a 404, so the signed path and the routed path are always the same text.
 * Besides `/`, only the first pages of the documents and the dashboards can end with a slash.
 */
export function isCanonicalPath(target: string): boolean {
  const [path = ""] = target.split("?", 1);
  return path.startsWith("/") && !NOT_CANONICAL.test(path);
}

const NOT_CANONICAL = /[%;#\\]|[^\x21-\x7e]|\/\/|\/\.\.?(\/|$)|(?<!^|^\/(docs|dashboard|admin))\/$/;

/** The methods that each path supports, for the `Allow` header of a 405. */
export interface PathMethods {
  add(url: string, methods: readonly string[]): void;
  /**
   * Returns the methods of the path, or an empty list if it is unknown. A literal path takes precedence over one with a
   * parameter.
   */
  of(target: string): readonly string[];
  /**
   * Returns true if a route has exactly this path but does not support the method. The router could then choose a route
   * whose path has a parameter.
   */
  isShadowing(target: string, method: string): boolean;
}

export function createPathMethods(): PathMethods {
  const paths = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  return {
    add: (url, methods) => {
      const pattern = new RegExp(
        `^${url
          .replaceAll(/[.]/g, "\\.")
          .replace("*", ".*")
          .replaceAll(/:[a-z_]+/g, "[^/]+")}$`,
      );
      const known = paths.get(url) ?? { pattern, methods: new Set<string>() };
      for (const method of methods) known.methods.add(method);
      paths.set(url, known);
    },
    of: (target) => {
      const [path = ""] = target.split("?", 1);
      const exact = paths.get(path);
      const found = exact ?? [...paths.values()].find(({ pattern }) => pattern.test(path));
      return [...(found?.methods ?? [])].sort();
    },
    isShadowing: (target, method) => {
      const [path = ""] = target.split("?", 1);
      return paths.get(path)?.methods.has(method) === false;
    },
  };
}
