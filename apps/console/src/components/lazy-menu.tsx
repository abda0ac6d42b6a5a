"use client";

import {
  type ComponentType,
  cloneElement,
  type LazyExoticComponent,
  type ReactElement,
  Suspense,
  useState,
} from "react";
import type { ButtonProps } from "./ui/button.tsx";

/** A menu that is open when it is mounted, hung on its button. */
export type MenuProps = { button: ReactElement<ButtonProps> };

/**
 * A button whose menu is fetched when somebody reaches for it.
 *
 * @param fetchMenu begins to fetch it; may be called again
 */
export function LazyMenu<P extends MenuProps>({
  button,
  menu: Menu,
  fetchMenu,
  menuProps,
}: {
  button: ReactElement<ButtonProps>;
  menu: LazyExoticComponent<ComponentType<P>>;
  fetchMenu: () => Promise<unknown>;
  menuProps: Omit<P, "button">;
}) {
  const [isWanted, setWanted] = useState(false);
  // A fetch that fails is tried again by the press, which then shows the failure.
  const prepare = () => void fetchMenu().catch(() => undefined);
  const closed = cloneElement(button, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: prepare,
    onFocus: prepare,
    onClick: () => setWanted(true),
    onKeyDown: (event) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      setWanted(true);
    },
  });
  if (!isWanted) return closed;
  const props = { ...menuProps, button } as P;
  return (
    <Suspense fallback={closed}>
      <Menu {...props} />
    </Suspense>
  );
}
