import { type SignalboxClient, SignalboxError } from "@signalbox/client";
import type {
  DurableEvent,
  EphemeralEvent,
  OpenSessionInput,
  PromptResult,
  SessionEvent,
} from "@signalbox/protocol";
import { vi } from "vitest";

const PATIENCE_MS = 60_000;

/** A session that is followed from its first event and deleted at the end of its scope. */
export class OpenedSession implements AsyncDisposable {
  readonly id: string;
  /** Everything that was followed, in order of arrival. */
  readonly events: SessionEvent[] = [];
  readonly #client: SignalboxClient;
  readonly #following: Promise<unknown>;
  #failure: unknown = null;

  private constructor(client: SignalboxClient, id: string) {
    this.id = id;
    this.#client = client;
    this.#following = this.#follow().catch((error) => {
      this.#failure = error;
    });
  }

  static async open(
    client: SignalboxClient,
    input: OpenSessionInput & { sessionId: string },
  ): Promise<OpenedSession> {
    await client.api.sessions.open.mutate(input);
    return new OpenedSession(client, input.sessionId);
  }

  /** @returns the prompt's id as soon as it is accepted */
  async submit(text: string): Promise<string> {
    const content = [{ type: "text", text }];
    const accepted = await this.#client.api.sessions.submitPrompt.mutate({
      sessionId: this.id,
      content,
    });
    return accepted.promptId;
  }

  /** @throws SignalboxError with which the turn failed */
  async ended(promptId: string): Promise<PromptResult> {
    const result = await this.#client.api.sessions.awaitPrompt.mutate({
      sessionId: this.id,
      promptId,
      waitMs: PATIENCE_MS,
    });
    if ("pending" in result) throw new Error(`prompt ${promptId} of ${this.id} has not ended`);
    return result;
  }

  async prompt(text: string): Promise<PromptResult> {
    return this.ended(await this.submit(text));
  }

  /** Waits until the finder finds something among the events. */
  until<T>(find: (event: SessionEvent) => T | undefined): Promise<T> {
    return vi.waitFor(
      () => {
        for (const event of this.events) {
          const found = find(event);
          if (found !== undefined) return found;
        }
        const seen = this.events.map(({ type }) => type).join(" ");
        throw this.#failure ?? new Error(`nothing found in ${this.id} among: ${seen}`);
      },
      { timeout: PATIENCE_MS },
    );
  }

  get durableEvents(): DurableEvent[] {
    return this.events.filter((event) => event.durability === "durable");
  }

  get deltas(): EphemeralEvent[] {
    return this.events.filter((event) => event.durability === "ephemeral");
  }

  /** Deletes it. @returns the code with which the server ended the stream of its events */
  async delete(): Promise<string | null> {
    await this.#client.api.sessions.delete.mutate({ sessionId: this.id });
    await this.#following;
    return this.#failure instanceof SignalboxError ? this.#failure.code : null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.delete();
  }

  async #follow(): Promise<void> {
    for await (const { event } of this.#client.followSession({ sessionId: this.id, after: 0 })) {
      this.events.push(event);
    }
  }
}
