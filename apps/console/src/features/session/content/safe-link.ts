export type LinkTarget = { href: string; host: string } | null;

/** Where a link of an agent may lead; null for anything but the web and mail. */
export function safeLink(href: string | undefined): LinkTarget {
  if (!href || !URL.canParse(href)) return null;
  const url = new URL(href);
  if (url.protocol === "mailto:") return { href: url.href, host: url.pathname };
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  return { href: url.href, host: url.host };
}
