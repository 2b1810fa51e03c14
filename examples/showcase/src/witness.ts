import type { IncomingSessionUpdate } from "@acp-kit/types";

/** Records events in wire order, each as a few words: `plan`, `tool_call read in_progress`, `→ fs/read_text_file`. */
export class Witness {
  /** The lines of output of the commands that the agent ran in the client's terminals. */
  readonly lines: string[] = [];
  /** The number of updates, in turns and between turns. */
  updates = 0;
  #events: string[] = [];
  #waiting: { readonly event: string; readonly resolve: () => void } | undefined;

  update(update: IncomingSessionUpdate): void {
    const { sessionUpdate } = update;
    this.updates += 1;
    if (sessionUpdate === "tool_call") this.#note(sessionUpdate, update.kind, update.status);
    else if (sessionUpdate === "tool_call_update") this.#note(sessionUpdate, update.status);
    else this.#note(sessionUpdate);
  }

  /** Records a request to the client, or an action of the client. */
  asked(what: string): void {
    this.#note("→", what);
  }

  /** Returns the events since the last call. */
  take(): string[] {
    return this.#events.splice(0);
  }

  /** Resolves when an event has occurred since the last {@link take}, or after a time limit. */
  async until(event: string, timeoutMs: number): Promise<void> {
    if (this.#events.includes(event)) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#waiting = { event, resolve };
      timer = setTimeout(resolve, timeoutMs);
    });
    clearTimeout(timer);
  }

  #note(...words: (string | null | undefined)[]): void {
    const event = words.filter((word) => word != null).join(" ");
    this.#events.push(event);
    if (this.#waiting?.event === event) this.#waiting.resolve();
  }
}
