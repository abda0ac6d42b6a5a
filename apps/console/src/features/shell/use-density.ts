import { useLayoutEffect } from "react";
import { DENSITIES } from "../../lib/choices.ts";
import { useChoice } from "../../lib/preference.ts";

/** Tells the style sheet how much room this browser's owner wants between things. */
export function useDensity(): void {
  const [density] = useChoice("density", DENSITIES);
  useLayoutEffect(() => {
    document.documentElement.dataset.density = density;
  }, [density]);
}
