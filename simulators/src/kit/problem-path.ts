/**
 * Converts a JSON pointer to a dotted path and prepends `root`. With an empty root, `/project/name` becomes
 * `project.name`.
 */
export function problemPath(root: string, pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce(memberPath, root);
}

export function memberPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
