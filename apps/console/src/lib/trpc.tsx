"use client";

import type { AppRouter } from "@signalbox/api";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpLink, splitLink, wsLink } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { type Connection, LiveSocket } from "./connection.ts";
import { failureOf } from "./failure.ts";
import { dropToken } from "./token.ts";

const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

export type { Connection } from "./connection.ts";
export { useTRPC, useTRPCClient };

const MAX_BATCH_ITEMS = 10;
const MAX_RETRIES = 2;

const SocketContext = createContext<LiveSocket | null>(null);

/** The live connection of this tab. */
export function useConnection(): Connection {
  const socket = useContext(SocketContext);
  if (socket === null) throw new Error("useConnection needs a TrpcProvider above it");
  return useSyncExternalStore(socket.subscribe, socket.snapshot, socket.snapshot);
}

function signOut(): void {
  dropToken("Your login has ended or was revoked. Log in again to go on.");
}

function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (failureOf(error).appCode === "unauthorized") signOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // The fleet's events keep the cache fresh; a refetch is for what they do not tell.
        staleTime: 30_000,
        // A server on loopback answers without any network.
        networkMode: "always",
        retry: (count, error) => {
          const { appCode, retryable } = failureOf(error);
          return count < MAX_RETRIES && (appCode === null || retryable);
        },
      },
      // A command is never repeated by itself.
      mutations: { networkMode: "always", retry: false },
    },
  });
}

function createClient(token: string, socket: LiveSocket) {
  const http = { url: "/trpc", headers: { authorization: `Bearer ${token}` } };
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (op) => op.type === "subscription",
        true: wsLink({ client: socket.client }),
        false: splitLink({
          condition: (op) => op.type === "query",
          true: httpBatchLink({ ...http, maxItems: MAX_BATCH_ITEMS }),
          // Alone, so that an answer to a request does not wait for a slow start beside it.
          false: httpLink(http),
        }),
      }),
    ],
  });
}

function createLink(token: string) {
  const { protocol, host } = window.location;
  const url = `${protocol === "https:" ? "wss" : "ws"}://${host}/trpc`;
  const socket = new LiveSocket(url, token, signOut);
  return { socket, queryClient: createQueryClient(), trpcClient: createClient(token, socket) };
}

/**
 * Everything below speaks to the server with this token. Browser only; give it `key={token}`, so
 * that another login starts from nothing.
 */
export function TrpcProvider({ token, children }: { token: string; children: ReactNode }) {
  const [{ socket, queryClient, trpcClient }] = useState(() => createLink(token));
  useEffect(() => socket.start(), [socket]);
  return (
    <SocketContext value={socket}>
      <QueryClientProvider client={queryClient}>
        <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
          {children}
        </TRPCProvider>
      </QueryClientProvider>
    </SocketContext>
  );
}
