"use client";

import type { Token } from "@signalbox/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Moment, RelativeTime } from "../../components/time.tsx";
import { Badge } from "../../components/ui/badge.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { Answer } from "./answer.tsx";
import { NewTokenDialog } from "./new-token-dialog.tsx";
import { RevokeButton } from "./revoke-button.tsx";
import { SCOPE_WORDS } from "./scope-words.ts";
import { Section } from "./section.tsx";

/** What other services come in with. */
export function Tokens() {
  const trpc = useTRPC();
  const tokens = useQuery(trpc.tokens.list.queryOptions(undefined, { staleTime: 0 }));
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title="Tokens"
      tells="For other services. A token may do what its scopes say, and nothing else."
      actions={
        tokens.data === undefined ? null : (
          <Button size="sm" onClick={() => setOpen(true)}>
            <Plus aria-hidden />
            New token
          </Button>
        )
      }
    >
      <Answer query={tokens}>
        {({ tokens }) =>
          tokens.length === 0 ? (
            <p className="rounded-lg border border-dashed px-4 py-5 text-muted">No token yet.</p>
          ) : (
            <ul className="divide-y rounded-lg border bg-surface">
              {tokens.map((token) => (
                <TokenRow key={token.id} token={token} />
              ))}
            </ul>
          )
        }
      </Answer>
      <NewTokenDialog isOpen={isOpen} onOpenChange={setOpen} />
    </Section>
  );
}

function TokenRow({ token }: { token: Token }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const revoke = useMutation(
    trpc.tokens.revoke.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.tokens.list.queryKey() }),
    }),
  );
  const isExpired = token.expiresAt !== null && Date.parse(token.expiresAt) <= Date.now();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-1.5">
          <span className="mr-1 font-medium [overflow-wrap:anywhere]">{token.name}</span>
          {token.scopes.map((scope) => (
            <Badge key={scope} tone={scope === "X" ? "warning" : "outline"}>
              {SCOPE_WORDS[scope].name}
            </Badge>
          ))}
          {isExpired ? <Badge tone="danger">Expired</Badge> : null}
        </p>
        <p className="mt-0.5 text-muted text-xs">
          Made <Moment iso={token.createdAt} />
          {token.lastUsedAt === null ? (
            " · never used"
          ) : (
            <>
              {" · used "}
              <RelativeTime iso={token.lastUsedAt} />
            </>
          )}
          {token.expiresAt === null || isExpired ? null : (
            <>
              {" · ends "}
              <Moment iso={token.expiresAt} />
            </>
          )}
        </p>
      </div>
      <RevokeButton
        what={`the token ${token.name}`}
        consequence="Whoever uses it is refused from now on, and its open connections close within a second."
        mutation={revoke}
        onRevoke={() => revoke.mutate({ id: token.id })}
      />
    </li>
  );
}
