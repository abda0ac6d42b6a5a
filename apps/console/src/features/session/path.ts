/** A path as it is read in its session: relative to the working directory where it lies below it. */
export function shortPath(path: string, cwd: string): string {
  const base = cwd.endsWith("/") ? cwd : `${cwd}/`;
  return path.startsWith(base) && path.length > base.length ? path.slice(base.length) : path;
}

/** The last `count` parts of a path, which tell most where there is little room. */
export function pathTail(path: string, count = 2): string {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.length <= count ? path : `…/${parts.slice(-count).join("/")}`;
}
