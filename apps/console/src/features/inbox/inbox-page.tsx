"use client";

import { lazy, Suspense, useState } from "react";
import { Page } from "../../components/page.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../components/ui/tabs.tsx";
import { PendingList } from "./pending-list.tsx";
import { useInbox } from "./use-inbox.ts";

const AsideList = lazy(() =>
  import("./aside-list.tsx").then((module) => ({ default: module.AsideList })),
);
const ResolvedList = lazy(() =>
  import("./resolved-list.tsx").then((module) => ({ default: module.ResolvedList })),
);

/** Everything that needs a person, over all sessions, oldest first, and what was decided. */
export function InboxPage() {
  const inbox = useInbox();
  const [tab, setTab] = useState("pending");
  const endedCount = inbox.rows.filter((row) => !row.isPending).length;
  return (
    <Tabs value={tab} onValueChange={setTab} className="flex min-h-0 flex-1 flex-col">
      <Page
        title="Inbox"
        meta={
          <>
            {inbox.requestCount === 0 ? null : (
              <Badge tone="warning">{inbox.requestCount} pending</Badge>
            )}
            {inbox.failureCount === 0 ? null : (
              <Badge tone="danger">
                {inbox.failureCount}
                {inbox.hasMoreFailures ? "+" : ""} failed
              </Badge>
            )}
          </>
        }
        actions={
          endedCount === 0 || tab !== "pending" ? null : (
            <Button size="sm" onClick={inbox.clear}>
              Clear {endedCount} ended
            </Button>
          )
        }
        toolbar={
          <TabsList aria-label="Inbox" className="-mb-3 border-b-0">
            <TabsTrigger value="pending">Pending</TabsTrigger>
            <TabsTrigger value="aside">
              Set aside
              {inbox.aside.length === 0 ? null : <Badge>{inbox.aside.length}</Badge>}
            </TabsTrigger>
            <TabsTrigger value="resolved">Resolved</TabsTrigger>
          </TabsList>
        }
      >
        <TabsContent value="pending" tabIndex={-1} className="outline-none">
          <PendingList inbox={inbox} />
        </TabsContent>
        <TabsContent value="aside" tabIndex={-1} className="outline-none">
          <Suspense>
            <AsideList inbox={inbox} />
          </Suspense>
        </TabsContent>
        <TabsContent value="resolved" tabIndex={-1} className="outline-none">
          <Suspense>
            <ResolvedList />
          </Suspense>
        </TabsContent>
      </Page>
    </Tabs>
  );
}
