/**
 * What a request asks for.
 *
 * A target that begins with two slashes is none: a URL reads a host name there, and what stands
 * behind this server might take it for one.
 *
 * @returns null when the target is no path that a URL could have
 */
export function targetOf(url: string | undefined): URL | null {
  if (url === undefined || url.startsWith("//")) return null;
  try {
    return new URL(url, "http://localhost");
  } catch {
    return null;
  }
}
