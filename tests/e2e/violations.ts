import type { Page } from "@playwright/test";
import axe from "axe-core";

/** What axe finds on the page as it is shown, contrast included. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + " " + target + ": " + failureSummary)))`,
  );
}
