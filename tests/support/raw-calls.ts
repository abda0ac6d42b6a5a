/** Calls as a stranger would make them: what the client cannot send. */
import { once } from "node:events";
import { type IncomingHttpHeaders, request } from "node:http";
import { WebSocket } from "ws";

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body as JSON; undefined when it is none. */
  json: unknown;
}

export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export async function rawHttp(url: string, options: RawRequest = {}): Promise<RawAnswer> {
  const { method = options.body === undefined ? "GET" : "POST", headers = {}, body } = options;
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const outgoing = request(url, { method, headers: { ...type, ...headers }, agent: false });
  outgoing.end(body);
  const [incoming] = await once(outgoing, "response");
  let text = "";
  incoming.setEncoding("utf8");
  for await (const piece of incoming) text += piece;
  return {
    status: incoming.statusCode,
    headers: incoming.headers,
    body: text,
    json: parsed(text),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface SocketEnd {
  /** The close code; null when the upgrade was refused. */
  code: number | null;
  /** The status of a refused upgrade. */
  status: number | null;
  afterMs: number;
}

/**
 * Opens a socket, sends what it is given and waits until the server ends it.
 *
 * @param frames sent in order once it is open
 */
export async function socketEnd(
  url: string,
  options: { headers?: Record<string, string>; frames?: unknown[] } = {},
): Promise<SocketEnd> {
  const startedAtMs = performance.now();
  const socket = new WebSocket(url, { headers: options.headers ?? {} });
  const afterMs = () => performance.now() - startedAtMs;
  return new Promise((resolve, reject) => {
    socket.on("open", () => {
      for (const frame of options.frames ?? []) socket.send(JSON.stringify(frame));
    });
    socket.on("unexpected-response", (_request, response) => {
      response.resume();
      resolve({ code: null, status: response.statusCode ?? null, afterMs: afterMs() });
    });
    socket.on("close", (code) => resolve({ code, status: null, afterMs: afterMs() }));
    socket.on("error", reject);
  });
}

/** Sends one frame over a socket that has shown its token, and returns as many answers as calls. */
export async function socketAnswers(
  url: string,
  token: string,
  frame: unknown[],
): Promise<unknown[]> {
  const address = new URL("/trpc?connectionParams=1", url);
  address.protocol = "ws:";
  const socket = new WebSocket(address);
  await once(socket, "open");
  const answers: unknown[] = [];
  const isComplete = new Promise<void>((resolve, reject) => {
    socket.on("message", (data) => {
      answers.push(JSON.parse(data.toString()));
      if (answers.length === frame.length) resolve();
    });
    socket.once("close", () => reject(new Error("the socket closed before every answer came")));
  });
  socket.send(JSON.stringify({ method: "connectionParams", data: { token } }));
  socket.send(JSON.stringify(frame));
  try {
    await isComplete;
  } finally {
    socket.removeAllListeners("close");
    socket.terminate();
  }
  return answers;
}
