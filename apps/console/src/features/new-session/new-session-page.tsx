"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter, useSearchParams } from "next/navigation";
import { type FormEvent, useState } from "react";
import { flushSync } from "react-dom";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { Page } from "../../components/page.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Input } from "../../components/ui/input.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { Textarea } from "../../components/ui/textarea.tsx";
import { failureOf } from "../../lib/failure.ts";
import { sessionHref } from "../../lib/session-href.ts";
import { readableSlug } from "../../lib/slug.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { AgentChoice, PolicyChoice } from "./choices.tsx";
import { Field } from "./field.tsx";
import {
  checkNewSession,
  type FieldErrors,
  fieldOfFailure,
  type NewSession,
  openInput,
} from "./form-state.ts";
import { StartFailure } from "./start-failure.tsx";

/** Opens a session: which agent, where, and who answers its requests for permission. */
export function NewSessionPage() {
  const trpc = useTRPC();
  const agents = useQuery(trpc.agents.list.queryOptions());
  return (
    <Page title="New session" width="narrow">
      {agents.data === undefined && agents.error !== null ? (
        <ErrorPanel
          error={agents.error}
          onRetry={() => void agents.refetch().catch(() => undefined)}
        />
      ) : agents.data === undefined ? (
        <div className="space-y-3">
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
          <Skeleton className="h-8 w-1/2" />
        </div>
      ) : (
        <NewSessionForm agents={agents.data.agents} />
      )}
    </Page>
  );
}

type FormProps = { agents: Parameters<typeof AgentChoice>[0]["agents"] };

function NewSessionForm({ agents }: FormProps) {
  const wanted = useSearchParams().get("agent");
  const startable = agents.filter((agent) => agent.installed);
  const first = startable.find((agent) => agent.id === wanted) ?? startable[0];
  const { form, change, errors, open, onSubmit } = useNewSession(first?.id ?? "");
  const failure = open.error === null ? null : failureOf(open.error);
  return (
    <form onSubmit={onSubmit} noValidate className="space-y-6 pb-8">
      <AgentChoice
        agents={agents}
        value={form.agent}
        onChange={(agent) => change({ agent })}
        error={errors.agent}
      />
      <Field
        label="Session id"
        hint="Names the session in links and in the API. It cannot be changed later."
        error={errors.sessionId}
      >
        {(props) => (
          <Input
            {...props}
            className="font-mono"
            spellCheck={false}
            autoComplete="off"
            value={form.sessionId}
            onChange={(event) => change({ sessionId: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Folder"
        hint="An absolute path on the server, inside its workspaces. Empty: the default workspace."
        error={errors.cwd}
      >
        {(props) => (
          <Input
            {...props}
            className="font-mono"
            spellCheck={false}
            autoComplete="off"
            placeholder="Default workspace"
            value={form.cwd}
            onChange={(event) => change({ cwd: event.target.value })}
          />
        )}
      </Field>
      <PolicyChoice
        value={form.permissionPolicy}
        onChange={(permissionPolicy) => change({ permissionPolicy })}
        error={errors.permissionPolicy}
      />
      <Field
        label="Additional instructions"
        hint="Given to the agent with the operator's base instructions. Optional."
        error={errors.additionalInstructions}
      >
        {(props) => (
          <Textarea
            {...props}
            rows={4}
            value={form.additionalInstructions}
            onChange={(event) => change({ additionalInstructions: event.target.value })}
          />
        )}
      </Field>
      {failure === null || fieldOfFailure(failure) !== null ? null : (
        <StartFailure failure={failure} />
      )}
      <div className="flex items-center gap-3">
        <Button type="submit" variant="primary" size="lg" disabled={open.isPending}>
          {open.isPending ? "Opening…" : "Open session"}
        </Button>
        <p role="status" className="text-muted">
          {open.isPending ? "The agent starts; the first time this can take a while." : ""}
        </p>
      </div>
    </form>
  );
}

function useNewSession(firstAgent: string) {
  const trpc = useTRPC();
  const router = useRouter();
  const [form, setForm] = useState<NewSession>(() => ({
    agent: firstAgent,
    sessionId: readableSlug(),
    cwd: "",
    permissionPolicy: "ask",
    additionalInstructions: "",
  }));
  const [errors, setErrors] = useState<FieldErrors>({});
  const open = useMutation(
    trpc.sessions.open.mutationOptions({
      onSuccess: (_, { sessionId }) => router.push(sessionHref(sessionId ?? "main")),
      onError: (error) => {
        const failure = failureOf(error);
        const field = fieldOfFailure(failure);
        if (field !== null) showErrors({ [field]: failure.message }, setErrors);
      },
    }),
  );
  const change = (part: Partial<NewSession>) => {
    setForm((old) => ({ ...old, ...part }));
    const touched = new Set(Object.keys(part));
    setErrors((old) =>
      Object.fromEntries(Object.entries(old).filter(([field]) => !touched.has(field))),
    );
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (open.isPending) return;
    const found = checkNewSession(form);
    showErrors(found, setErrors);
    if (Object.keys(found).length === 0) open.mutate(openInput(form));
  };
  return { form, change, errors, open, onSubmit };
}

/** Puts the errors at their fields and the focus at the first of them. */
function showErrors(errors: FieldErrors, setErrors: (errors: FieldErrors) => void): void {
  // At once, so that the field is marked when it is looked for.
  flushSync(() => setErrors(errors));
  const field = document.querySelector<HTMLElement>("form [aria-invalid=true]");
  const isGroup = field?.getAttribute("role") === "radiogroup";
  const control = isGroup ? field?.querySelector<HTMLElement>("input:enabled") : field;
  control?.focus();
}
