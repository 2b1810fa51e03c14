import type { IncomingSessionUpdate } from "@acp-kit/types";

/** What has happened, in wire order, in few words: `plan`, `tool_call read in_progress`, `→ fs/read_text_file`. */
export class Witness {
  /** Lines that commands have written. */
  readonly lines: string[] = [];
  /** Updates, of all turns and between them. */
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

  /** A request to this side, or an action of it. */
  asked(what: string): void {
    this.#note("→", what);
  }

  /** Returns the events since the last call. */
  take(): string[] {
    return this.#events.splice(0);
  }

  /** Resolves when an event has happened since the last {@link take}, or when it takes too long. */
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
