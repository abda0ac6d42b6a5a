"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { type FormEvent, type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { Logo } from "../../components/logo.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Input } from "../../components/ui/input.tsx";
import { type Failure, failureOf } from "../../lib/failure.ts";
import { readSignedOutNotice, readToken, storeToken } from "../../lib/token.ts";
import { exchangeCode, takeCode, verifyToken } from "./exchange.ts";
import { returnPath } from "./return-path.ts";

const CODE_HINT = "A login link works once, for ten minutes. Ask for a new one, or paste a token.";
const TOKEN_HINT = "The token was not accepted. Copy the whole line, without its line break.";

const noChange = () => () => undefined;

/** Logs in with the one-time code of the terminal's link, or with a token. */
export function LoginPage() {
  const { isBusy, failure, hint, logIn } = useLogIn();
  const notice = useSyncExternalStore(noChange, readSignedOutNotice, () => null);
  return (
    <LoginFrame>
      {notice === null || failure !== null ? null : (
        <p role="status" className="mt-6 rounded-md bg-warning-soft px-3 py-2 text-warning">
          {notice}
        </p>
      )}
      {failure === null ? null : <LoginFailure failure={failure} hint={hint} />}
      <TokenForm isBusy={isBusy} onToken={(token) => logIn(() => checked(token), TOKEN_HINT)} />
      <div className="mt-8 space-y-2 border-t pt-5 text-muted">
        <p>
          <strong className="font-medium text-text">With the login link.</strong> When it starts,
          the server prints a link on its terminal. It works once, for ten minutes.
        </p>
        <p>
          <strong className="font-medium text-text">With the administrator's token.</strong> It is
          in the file <code className="font-mono text-text text-xs">admin-token</code> of the
          server's data directory, usually{" "}
          <code className="font-mono text-text text-xs">.signalbox/admin-token</code>.
        </p>
      </div>
    </LoginFrame>
  );
}

/** The page without its form, also while that is on its way. */
export function LoginFrame({ children }: { children?: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 pt-[14dvh] pb-10">
      <title>Log in · Signalbox</title>
      <div className="w-full max-w-sm">
        <div className="flex items-center gap-3">
          <Logo className="size-9" />
          <div>
            <h1 className="font-semibold text-xl tracking-tight">Signalbox</h1>
            <p className="text-muted">Log in to the console</p>
          </div>
        </div>
        {children}
      </div>
    </main>
  );
}

async function checked(token: string): Promise<string> {
  await verifyToken(token);
  return token;
}

function useLogIn() {
  const router = useRouter();
  const next = useSearchParams().get("next");
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [hint, setHint] = useState("");

  const logIn = (secretOf: () => Promise<string>, hintOnRefusal: string) => {
    setBusy(true);
    setHint(hintOnRefusal);
    setFailure(null);
    secretOf().then(
      (secret) => {
        storeToken(secret);
        router.replace(returnPath(next, window.location.origin));
      },
      (error: unknown) => {
        setFailure(failureOf(error));
        setBusy(false);
      },
    );
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is read once, and when its hash changes
  useEffect(() => {
    const onHash = () => {
      const code = takeCode();
      if (code !== null) logIn(() => exchangeCode(code), CODE_HINT);
      else if (readToken() !== null) router.replace(returnPath(next, window.location.origin));
    };
    onHash();
    window.addEventListener("hashchange", onHash);
    return () => window.removeEventListener("hashchange", onHash);
  }, []);

  return { isBusy, failure, hint, logIn };
}

function LoginFailure({ failure, hint }: { failure: Failure; hint: string }) {
  return (
    <div role="alert" className="mt-6 rounded-md bg-danger-soft px-3 py-2 text-danger">
      <p>{failure.message}</p>
      {failure.appCode === "unauthorized" ? <p className="mt-1 text-text">{hint}</p> : null}
    </div>
  );
}

function TokenForm({ isBusy, onToken }: { isBusy: boolean; onToken: (token: string) => void }) {
  const [token, setToken] = useState("");
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim() !== "" && !isBusy) onToken(token.trim());
  };
  return (
    <form onSubmit={onSubmit} className="mt-6">
      <label htmlFor="token" className="mb-1.5 block font-medium">
        Token
      </label>
      <div className="flex gap-2">
        <Input
          id="token"
          name="token"
          type="password"
          autoComplete="current-password"
          spellCheck={false}
          className="font-mono"
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
        <Button type="submit" variant="primary" disabled={isBusy || token.trim() === ""}>
          {isBusy ? "Logging in…" : "Log in"}
        </Button>
      </div>
    </form>
  );
}
