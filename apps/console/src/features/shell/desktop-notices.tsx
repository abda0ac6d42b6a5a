"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { NOTICES } from "../../lib/choices.ts";
import { usePending } from "../../lib/fleet.tsx";
import { useChoice } from "../../lib/preference.ts";
import { sessionHref } from "../../lib/session-href.ts";
import { noticeText, unseenRequests } from "./notice-text.ts";

/**
 * A notification of the system for each request that comes while the page is not looked at. It goes
 * away when the request is answered, here or elsewhere.
 */
export function DesktopNotices() {
  const [choice] = useChoice("notices", NOTICES);
  return choice === "on" ? <Notices /> : null;
}

function Notices() {
  const router = useRouter();
  const { requests, isLoading } = usePending();
  const known = useRef<ReadonlySet<string> | null>(null);
  const shown = useRef(new Map<string, Notification>());

  useEffect(() => {
    if (isLoading) return;
    const ids = new Set(requests.map((request) => request.requestId));
    for (const [id, notice] of shown.current) {
      if (ids.has(id)) continue;
      notice.close();
      shown.current.delete(id);
    }
    const unseen = unseenRequests(known.current, requests);
    known.current = ids;
    if (document.hasFocus() || Notification.permission !== "granted") return;
    for (const request of unseen) {
      // The tag makes one notification of those that several tabs would show.
      const notice = new Notification(request.sessionId, {
        body: noticeText(request),
        tag: request.requestId,
      });
      notice.onclick = () => {
        window.focus();
        router.push(sessionHref(request.sessionId));
        notice.close();
      };
      shown.current.set(request.requestId, notice);
    }
  }, [requests, isLoading, router]);

  useEffect(() => {
    const all = shown.current;
    return () => {
      for (const notice of all.values()) notice.close();
      all.clear();
    };
  }, []);
  return null;
}
