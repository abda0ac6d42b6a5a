"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { Page } from "../../components/page.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../components/ui/tabs.tsx";
import { About } from "./about.tsx";
import { AuditLog } from "./audit-log.tsx";
import { Logins } from "./logins.tsx";
import { Preferences } from "./preferences.tsx";
import { Tokens } from "./tokens.tsx";

const TABS = [
  { id: "preferences", label: "Preferences" },
  { id: "access", label: "Access" },
  { id: "audit", label: "Audit log" },
  { id: "about", label: "Limits and about" },
] as const;

/** What this browser prefers, who may do what, what was done, and what the server allows. */
export function SettingsPage() {
  const pathname = usePathname();
  const wanted = useSearchParams().get("tab");
  const tab = TABS.find(({ id }) => id === wanted)?.id ?? TABS[0].id;
  const choose = (id: string) => {
    window.history.replaceState(null, "", id === TABS[0].id ? pathname : `${pathname}?tab=${id}`);
  };
  return (
    <Page title="Settings">
      <Tabs value={tab} onValueChange={choose}>
        <TabsList aria-label="Settings" className="mb-5">
          {TABS.map(({ id, label }) => (
            <TabsTrigger key={id} value={id}>
              {label}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="preferences" className="max-w-2xl">
          <Preferences />
        </TabsContent>
        <TabsContent value="access" className="space-y-8">
          <Tokens />
          <Logins />
        </TabsContent>
        <TabsContent value="audit">
          <AuditLog />
        </TabsContent>
        <TabsContent value="about" className="max-w-3xl">
          <About />
        </TabsContent>
      </Tabs>
    </Page>
  );
}
