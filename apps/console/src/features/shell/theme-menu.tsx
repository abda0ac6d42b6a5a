"use client";

import { Moon, Sun } from "lucide-react";
import { lazy } from "react";
import { LazyMenu } from "../../components/lazy-menu.tsx";
import { Button } from "../../components/ui/button.tsx";

const fetchMenu = () => import("./theme-menu-open.tsx");
const OpenMenu = lazy(() => fetchMenu().then((module) => ({ default: module.OpenThemeMenu })));

export function ThemeMenu() {
  return (
    <LazyMenu
      menu={OpenMenu}
      fetchMenu={fetchMenu}
      menuProps={{}}
      button={
        <Button variant="ghost" size="icon-sm" aria-label="Theme">
          <Sun aria-hidden className="dark:hidden" />
          <Moon aria-hidden className="hidden dark:block" />
        </Button>
      }
    />
  );
}
