"use client";

import { SCOPES, type Scope } from "@signalbox/protocol";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { CopyButton } from "../../components/copy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogClose, DialogContent, DialogFooter } from "../../components/ui/dialog.tsx";
import { Input } from "../../components/ui/input.tsx";
import { Select } from "../../components/ui/select.tsx";
import { failureOf } from "../../lib/failure.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { Field, FieldError } from "../new-session/field.tsx";
import { SCOPE_WORDS } from "./scope-words.ts";

const DAY_MS = 24 * 60 * 60_000;
const LIFETIMES: readonly { days: number | null; word: string }[] = [
  { days: 7, word: "7 days" },
  { days: 30, word: "30 days" },
  { days: 365, word: "1 year" },
  { days: null, word: "Until it is revoked" },
];

type NewTokenDialogProps = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

/** Makes a token and shows its secret, once. */
export function NewTokenDialog({ isOpen, onOpenChange }: NewTokenDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const create = useMutation(
    trpc.tokens.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.tokens.list.queryKey() }),
    }),
  );
  const onChange = (next: boolean) => {
    // The secret leaves the page with the dialog.
    if (!next) create.reset();
    onOpenChange(next);
  };
  return (
    <Dialog open={isOpen} onOpenChange={onChange}>
      <DialogContent title={create.data === undefined ? "New token" : "Copy the token now"}>
        {create.data === undefined ? (
          <TokenForm create={create} />
        ) : (
          <Secret secret={create.data.secret} onDone={() => onChange(false)} />
        )}
      </DialogContent>
    </Dialog>
  );
}

function Secret({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <>
      <p>It is shown this once and not kept. Whoever has it can do what its scopes say.</p>
      <div className="mt-3 flex items-center gap-2 rounded-md bg-inset py-1.5 pr-1 pl-3">
        <code className="min-w-0 flex-1 font-mono text-xs [overflow-wrap:anywhere]">{secret}</code>
        <CopyButton text={() => secret} label="Copy the token" />
      </div>
      <DialogFooter>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogFooter>
    </>
  );
}

type TokenInput = { name: string; scopes: Scope[]; expiresAt?: string };
type Create = { mutate: (input: TokenInput) => void; isPending: boolean; error: unknown };

function TokenForm({ create }: { create: Create }) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(["R"]));
  const [days, setDays] = useState<number | null>(30);
  const [isTried, setTried] = useState(false);
  const nameError = isTried && name.trim() === "" ? "Give it a name." : undefined;
  const scopeError = isTried && scopes.size === 0 ? "Choose at least one." : undefined;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() === "" || scopes.size === 0) return;
    create.mutate({
      name: name.trim(),
      scopes: SCOPES.filter((scope) => scopes.has(scope)),
      ...(days === null ? {} : { expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() }),
    });
  };
  const toggle = (scope: Scope) => {
    setScopes((old) => {
      const next = new Set(old);
      if (!next.delete(scope)) next.add(scope);
      return next;
    });
  };
  return (
    <form onSubmit={onSubmit} noValidate className="space-y-4">
      <Field
        label="Name"
        hint="Stands beside every answer that is given with it."
        error={nameError}
      >
        {(props) => (
          <Input
            {...props}
            autoComplete="off"
            maxLength={100}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <fieldset>
        <legend className="mb-1.5 font-medium">Scopes</legend>
        <div className="space-y-2">
          {SCOPES.map((scope) => (
            <label key={scope} className="flex items-start gap-2.5">
              <input
                type="checkbox"
                className="mt-0.5 size-4 accent-accent"
                checked={scopes.has(scope)}
                onChange={() => toggle(scope)}
              />
              <span>
                {SCOPE_WORDS[scope].name}
                <span className="block text-muted text-xs">{SCOPE_WORDS[scope].lets}</span>
              </span>
            </label>
          ))}
        </div>
        <FieldError id="scopes-error" error={scopeError} />
      </fieldset>
      <Field label="Ends" hint="An ended token is refused like a wrong one." error={undefined}>
        {(props) => (
          <Select
            {...props}
            className="w-48"
            value={days ?? "never"}
            onChange={({ target }) =>
              setDays(target.value === "never" ? null : Number(target.value))
            }
          >
            {LIFETIMES.map(({ days, word }) => (
              <option key={word} value={days ?? "never"}>
                {word}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {create.error === null ? null : (
        <p role="alert" className="text-danger">
          Not made: {failureOf(create.error).message}
        </p>
      )}
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" disabled={create.isPending}>
          {create.isPending ? "Making…" : "Make token"}
        </Button>
      </DialogFooter>
    </form>
  );
}
