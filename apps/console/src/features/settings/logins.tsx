"use client";

import type { Login } from "@signalbox/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Moment, RelativeTime } from "../../components/time.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { Answer } from "./answer.tsx";
import { RevokeButton } from "./revoke-button.tsx";
import { Section } from "./section.tsx";

/** Every browser that is logged in, this one included. */
export function Logins() {
  const trpc = useTRPC();
  const logins = useQuery(trpc.logins.list.queryOptions(undefined, { staleTime: 0 }));
  return (
    <Section
      title="Console logins"
      tells="A browser stays logged in until its login ends or is revoked."
    >
      <Answer query={logins}>
        {({ logins }) => (
          <ul className="divide-y rounded-lg border bg-surface">
            {logins.map((login) => (
              <LoginRow key={login.id} login={login} />
            ))}
          </ul>
        )}
      </Answer>
    </Section>
  );
}

function LoginRow({ login }: { login: Login }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const revoke = useMutation(
    trpc.logins.revoke.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.logins.list.queryKey() }),
    }),
  );
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="[overflow-wrap:anywhere]">
          {login.address ?? "From an unknown address"}
          {login.origin === null ? null : (
            <span className="text-muted"> at {login.origin.replace(/^https?:\/\//, "")}</span>
          )}
        </p>
        <p className="text-muted text-xs">
          Logged in <Moment iso={login.createdAt} />
          {login.lastUsedAt === null ? null : (
            <>
              {" · used "}
              <RelativeTime iso={login.lastUsedAt} />
            </>
          )}
          {login.expiresAt === null ? null : (
            <>
              {" · ends "}
              <Moment iso={login.expiresAt} />
            </>
          )}
        </p>
      </div>
      <RevokeButton
        what={`the login of ${login.address ?? "an unknown address"}`}
        consequence="Its browser is logged out within a second. This may be the one you use."
        mutation={revoke}
        onRevoke={() => revoke.mutate({ id: login.id })}
      />
    </li>
  );
}
