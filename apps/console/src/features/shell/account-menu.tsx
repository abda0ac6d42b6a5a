"use client";

import { CircleUser } from "lucide-react";
import { lazy } from "react";
import { LazyMenu } from "../../components/lazy-menu.tsx";
import { Button } from "../../components/ui/button.tsx";

const fetchMenu = () => import("./account-menu-open.tsx");
const OpenMenu = lazy(() => fetchMenu().then((module) => ({ default: module.OpenAccountMenu })));

export function AccountMenu({ onHelp }: { onHelp: () => void }) {
  return (
    <LazyMenu
      menu={OpenMenu}
      fetchMenu={fetchMenu}
      menuProps={{ onHelp }}
      button={
        <Button variant="ghost" size="icon-sm" aria-label="Account and help">
          <CircleUser aria-hidden />
        </Button>
      }
    />
  );
}
