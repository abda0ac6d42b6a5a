"use client";

import type {
  FleetEvent,
  PendingPermission,
  PendingQuestion,
  SessionInfo,
} from "@signalbox/protocol";
import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { backoffMs } from "./backoff.ts";
import { failureOf } from "./failure.ts";
import {
  patchPending,
  patchQuestions,
  patchSessionPages,
  type SessionFilter,
  type SessionPage,
} from "./fleet-cache.ts";
import { toast } from "./toast.ts";
import { useTRPC, useTRPCClient } from "./trpc.tsx";

type Client = ReturnType<typeof useTRPCClient>;
type SessionLists = InfiniteData<SessionPage, string | null>;

const SESSIONS_KEY = "fleet-sessions";
const PENDING_KEY = "fleet-pending";
const QUESTIONS_KEY = "fleet-questions";
const PENDING_PAGE_ENTRIES = 200;
const MAX_PENDING = 5_000;
/** One and the same, so that "still loading" is not a change. */
const NONE: never[] = [];

/**
 * Events that arrive while a list is being fetched: the answer may be from before them, so they
 * are applied to it again. Applying an event twice changes nothing.
 */
class FleetRecorder {
  readonly #open = new Set<FleetEvent[]>();
  readonly #listeners = new Set<(event: FleetEvent) => void>();

  record(event: FleetEvent): void {
    for (const events of this.#open) events.push(event);
    for (const listener of this.#listeners) listener(event);
  }

  listen(listener: (event: FleetEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async during<T>(fetch: () => Promise<T>, apply: (value: T, event: FleetEvent) => T): Promise<T> {
    const events: FleetEvent[] = [];
    this.#open.add(events);
    try {
      return events.reduce(apply, await fetch());
    } finally {
      this.#open.delete(events);
    }
  }
}

const RecorderContext = createContext<FleetRecorder | null>(null);

function useRecorder(): FleetRecorder {
  const recorder = useContext(RecorderContext);
  if (recorder === null) throw new Error("the fleet's hooks need a FleetProvider above them");
  return recorder;
}

/** Calls `onEvent` with each event of the fleet, for what the cached lists do not tell. */
export function useFleetEvents(onEvent: (event: FleetEvent) => void): void {
  const recorder = useRecorder();
  const latest = useRef(onEvent);
  useEffect(() => {
    latest.current = onEvent;
  });
  useEffect(() => recorder.listen((event) => latest.current(event)), [recorder]);
}

/** One subscription to the whole fleet for this tab; it keeps every cached list up to date. */
export function FleetProvider({ children }: { children: ReactNode }) {
  const [recorder] = useState(() => new FleetRecorder());
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const trpc = useTRPC();
  useEffect(() => {
    const apply = (event: FleetEvent) => {
      recorder.record(event);
      applyToLists(queryClient, event);
      if (event.type === "session_created" || event.type === "session_changed") {
        const { session } = event;
        const key = trpc.sessions.get.queryKey({ sessionId: session.sessionId });
        queryClient.setQueryData(key, (old) => (old === undefined ? old : session));
      }
    };
    const refetch = () => {
      for (const key of [
        [SESSIONS_KEY],
        [PENDING_KEY],
        [QUESTIONS_KEY],
        trpc.sessions.get.pathKey(),
      ]) {
        // A failure shows at the query's own reader.
        void queryClient.invalidateQueries({ queryKey: key }).catch(() => undefined);
      }
    };
    return followFleet(client, apply, refetch);
  }, [client, queryClient, recorder, trpc]);
  return <RecorderContext value={recorder}>{children}</RecorderContext>;
}

/** Subscribes and, should the server end the stream, subscribes again. @returns the end of it */
function followFleet(
  client: Client,
  apply: (event: FleetEvent) => void,
  refetch: () => void,
): () => void {
  let attempt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: { unsubscribe(): void } | undefined;
  let isOver = false;
  const again = (error?: unknown) => {
    if (isOver) return;
    const failure = error === undefined ? null : failureOf(error);
    if (failure?.appCode === "unauthorized" || failure?.appCode === "forbidden") {
      toast.error("No live updates", { id: "fleet-refused", description: failure.message });
      return;
    }
    attempt += 1;
    timer = setTimeout(start, backoffMs(attempt, Math.random()));
  };
  // Without a cursor: what was missed is refetched, so only what comes from now on is wanted.
  const start = () => {
    current = client.fleet.events.subscribe(undefined, {
      onStarted: () => {
        attempt = 0;
        refetch();
      },
      onData: (item) => apply(item.data),
      onError: again,
      onComplete: () => again(),
    });
  };
  start();
  return () => {
    isOver = true;
    clearTimeout(timer);
    current?.unsubscribe();
  };
}

function applyToLists(queryClient: QueryClient, event: FleetEvent): void {
  queryClient.setQueryData<PendingPermission[]>([PENDING_KEY], (old) =>
    old === undefined ? old : patchPending(old, event),
  );
  queryClient.setQueryData<PendingQuestion[]>([QUESTIONS_KEY], (old) =>
    old === undefined ? old : patchQuestions(old, event),
  );
  for (const [key] of queryClient.getQueriesData<SessionLists>({ queryKey: [SESSIONS_KEY] })) {
    queryClient.setQueryData<SessionLists>(key, (old) => {
      if (old === undefined) return old;
      const pages = patchSessionPages(old.pages, event, filterOf(key[1]));
      return pages === old.pages ? old : { ...old, pages };
    });
  }
}

function filterOf(value: unknown): SessionFilter {
  return typeof value === "object" && value !== null ? value : {};
}

export interface SessionList {
  sessions: SessionInfo[];
  isLoading: boolean;
  /** The last answer's error, even while older data is still shown. */
  error: unknown;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  refetch: () => void;
}

/** The sessions that match, live, most recently updated first when fetched. */
export function useSessions(filter: SessionFilter = {}): SessionList {
  const client = useTRPCClient();
  const recorder = useRecorder();
  const wanted = compact(filter);
  const query = useInfiniteQuery({
    queryKey: [SESSIONS_KEY, wanted],
    queryFn: ({ pageParam, signal }) =>
      recorder.during(
        () =>
          client.sessions.list.query(
            { ...wanted, ...(pageParam === null ? {} : { cursor: pageParam }) },
            { signal },
          ),
        (page, event) =>
          pageParam === null ? (patchSessionPages([page], event, wanted)[0] ?? page) : page,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last: SessionPage) => last.nextCursor,
  });
  const pages = query.data?.pages ?? NONE;
  const sessions = useMemo(() => uniqueSessions(pages), [pages]);
  return {
    sessions,
    isLoading: query.isPending,
    error: query.error,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    // Failures show in `error`.
    loadMore: () => void query.fetchNextPage().catch(() => undefined),
    refetch: () => void query.refetch().catch(() => undefined),
  };
}

/** The pages are not one snapshot: a session that was updated in between can be on two. */
function uniqueSessions(pages: SessionPage[]): SessionInfo[] {
  const seen = new Map<string, SessionInfo>();
  for (const session of pages.flatMap((page) => page.sessions)) {
    if (!seen.has(session.sessionId)) seen.set(session.sessionId, session);
  }
  return [...seen.values()];
}

function compact({ agent, status, search }: SessionFilter) {
  return {
    ...(agent ? { agent } : {}),
    ...(status ? { status } : {}),
    ...(search ? { search } : {}),
  };
}

export interface PendingList {
  requests: (PendingPermission | PendingQuestion)[];
  isLoading: boolean;
  error: unknown;
  refetch: () => void;
}

/** Every permission request and question that waits, over all sessions, oldest first, live. */
export function usePending(): PendingList {
  const client = useTRPCClient();
  const recorder = useRecorder();
  const permissions = useQuery({
    queryKey: [PENDING_KEY],
    queryFn: ({ signal }) =>
      recorder.during(
        () =>
          allPages<PendingPermission>((page) => client.permissions.pending.query(page, { signal })),
        patchPending,
      ),
  });
  const questions = useQuery({
    queryKey: [QUESTIONS_KEY],
    queryFn: ({ signal }) =>
      recorder.during(
        () => allPages<PendingQuestion>((page) => client.questions.pending.query(page, { signal })),
        patchQuestions,
      ),
  });
  const asked = permissions.data ?? NONE;
  const wondered = questions.data ?? NONE;
  const requests = useMemo(() => oldestFirst(asked, wondered), [asked, wondered]);
  return {
    requests,
    isLoading: permissions.isPending || questions.isPending,
    error: permissions.error ?? questions.error,
    refetch: () => {
      for (const query of [permissions, questions]) void query.refetch().catch(() => undefined);
    },
  };
}

/** Merges two lists that are each in the server's order, which a sort by time alone would lose. */
function oldestFirst(
  permissions: readonly PendingPermission[],
  questions: readonly PendingQuestion[],
): (PendingPermission | PendingQuestion)[] {
  const rest = [...questions];
  const merged = permissions.flatMap((request) => {
    const later = rest.findIndex((question) => question.requestedAt > request.requestedAt);
    return [...rest.splice(0, later === -1 ? rest.length : later), request];
  });
  return [...merged, ...rest];
}

export function usePendingCount(): number {
  return usePending().requests.length;
}

async function allPages<R>(
  fetchPage: (page: {
    limit: number;
    cursor?: string;
  }) => Promise<{ requests: R[]; nextCursor: string | null }>,
): Promise<R[]> {
  const found: R[] = [];
  let cursor: string | null = null;
  do {
    const limit = PENDING_PAGE_ENTRIES;
    const page: { requests: R[]; nextCursor: string | null } = await fetchPage(
      cursor === null ? { limit } : { limit, cursor },
    );
    found.push(...page.requests);
    cursor = page.nextCursor;
  } while (cursor !== null && found.length < MAX_PENDING);
  return found;
}
