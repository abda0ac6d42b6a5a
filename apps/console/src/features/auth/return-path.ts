/** The login page that leads back to `path` afterwards. */
export function loginHref(path: string): string {
  return path === "/" ? "/login" : `/login?next=${encodeURIComponent(path)}`;
}

/**
 * Where to go after a login: a path of this console, else the start page. Whoever made the link
 * chose the value, so another origin must not come out of it.
 */
export function returnPath(next: string | null, origin: string): string {
  if (next === null || !next.startsWith("/")) return "/";
  const url = URL.canParse(next, origin) ? new URL(next, origin) : null;
  if (url === null || url.origin !== origin || url.pathname.startsWith("/login")) return "/";
  return `${url.pathname}${url.search}`;
}
