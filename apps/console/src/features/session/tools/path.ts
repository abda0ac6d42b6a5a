/** A path as it is read in its session: relative to the working directory where it lies below it. */
export function shortPath(path: string, cwd: string): string {
  const base = cwd.endsWith("/") ? cwd : `${cwd}/`;
  return path.startsWith(base) && path.length > base.length ? path.slice(base.length) : path;
}

/** The name of the file itself. */
export function baseName(path: string): string {
  return path.split("/").findLast((part) => part !== "") ?? path;
}
