/**
 * Whether a path has exactly one way to be written (contract, ruling 1). One with an escape, an empty or dot segment, a
 * semicolon or a slash at its end is nobody's path: what is signed and what is routed is then always the same text.
 */
export function isCanonicalPath(target: string): boolean {
  const [path = ""] = target.split("?", 1);
  return path.startsWith("/") && !NOT_CANONICAL.test(path);
}

const NOT_CANONICAL = /[%;#\\]|[^\x21-\x7e]|\/\/|\/\.\.?(\/|$)|.\/$/;

/** Which methods each path takes, for the answer to those that it does not. */
export interface PathMethods {
  add(url: string, methods: readonly string[]): void;
  /** The methods of the path, literal paths before those with parameters; none where there is no such path. */
  of(target: string): readonly string[];
  /** Whether it is a literal path that does not take the method, though one with a parameter in its place may. */
  isShadowing(target: string, method: string): boolean;
}

export function createPathMethods(): PathMethods {
  const paths = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  return {
    add: (url, methods) => {
      const pattern = new RegExp(
        `^${url.replaceAll(/[.]/g, "\\.").replaceAll(/:[a-z_]+/g, "[^/]+")}$`,
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
