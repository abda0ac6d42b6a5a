/** A site of somebody else: any page it serves may try what a page can try. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface EvilSite extends AsyncDisposable {
  readonly port: number;
}

export async function openEvilSite(): Promise<EvilSite> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>Evil</title><body>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Everything that a page may do to another origin, run inside the page. Each attempt tells what came
 * of it; the truth is what the attacked server says.
 *
 * @param target the attacked origin
 * @param token one that is good there: the origin alone must be enough to be refused
 */
export async function attack([target, token]: readonly [string, string]): Promise<
  Record<string, string>
> {
  const root = Reflect.get(globalThis, "document");
  const told: Record<string, string> = {};
  const bearer = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const open = JSON.stringify({ sessionId: "evil", agent: "demo" });
  const trying = async (name: string, act: () => Promise<string>) => {
    told[name] = await act().catch((error: unknown) => `failed: ${String(error)}`);
  };
  const read = async (response: Response) => `${response.status} ${await response.text()}`;
  await trying("simple get", async () => read(await fetch(`${target}/trpc/sessions.list`)));
  await trying("opaque get", async () =>
    read(await fetch(`${target}/trpc/sessions.list`, { mode: "no-cors", credentials: "include" })),
  );
  await trying("simple post", async () =>
    read(
      await fetch(`${target}/trpc/sessions.open`, { method: "POST", mode: "no-cors", body: open }),
    ),
  );
  await trying("preflighted post", async () =>
    read(
      await fetch(`${target}/trpc/sessions.open`, { method: "POST", headers: bearer, body: open }),
    ),
  );
  await trying("login", async () =>
    read(await fetch(`${target}/login`, { method: "POST", mode: "no-cors", body: '{"code":"x"}' })),
  );
  await trying("beacon", async () => {
    const blob = new Blob([open], { type: "text/plain" });
    return String(
      Reflect.get(globalThis, "navigator").sendBeacon(`${target}/trpc/sessions.open`, blob),
    );
  });
  await trying("form", () => {
    const frame = root.createElement("iframe");
    frame.name = "sink";
    root.body.append(frame);
    const form = root.createElement("form");
    Object.assign(form, { action: `${target}/trpc/sessions.open`, method: "post", target: "sink" });
    form.enctype = "text/plain";
    const field = root.createElement("input");
    Object.assign(field, { name: open.slice(0, -1), value: '"}' });
    form.append(field);
    root.body.append(form);
    const done = new Promise<string>((resolve) => {
      frame.onload = () => resolve("sent");
    });
    form.submit();
    return done;
  });
  await trying("script", () => {
    const script = root.createElement("script");
    script.src = `${target}/trpc/sessions.list?batch=1`;
    const done = new Promise<string>((resolve) => {
      script.onload = () => resolve("loaded");
      script.onerror = () => resolve("failed");
    });
    root.body.append(script);
    return done;
  });
  await trying("event source", () => {
    const source = new (Reflect.get(globalThis, "EventSource"))(`${target}/trpc/fleet.events`);
    return new Promise<string>((resolve) => {
      source.onopen = () => resolve("open");
      source.onerror = () => {
        source.close();
        resolve("failed");
      };
    });
  });
  await trying("socket", () => {
    const address = `${target.replace("http", "ws")}/trpc?connectionParams=1`;
    const socket = new (Reflect.get(globalThis, "WebSocket"))(address);
    return new Promise<string>((resolve) => {
      socket.onopen = () => {
        socket.send(JSON.stringify({ method: "connectionParams", data: { token } }));
        resolve("open");
      };
      socket.onerror = () => resolve("failed");
    });
  });
  return told;
}
