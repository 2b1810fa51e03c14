// A runtime: a program that runs an agent, without ACP. It stores its sessions, and each run reports events. Replace it
// with your runtime.

/** The events of a run. */
export type RunEvent =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "action"; readonly id: string; readonly title: string; readonly state: "started" | "done" }
  | { readonly type: "approval"; readonly action: string; readonly answer: (allowed: boolean) => void };

/** A session in the store of the runtime. */
export interface RuntimeSession {
  readonly id: string;
  readonly folder: string;
  readonly prompts: string[];
}

export class Runtime {
  /** The store of sessions, which is independent of connections. In a real runtime it is a database. */
  readonly store: Map<string, RuntimeSession> = new Map();
  readonly #runs = new Map<string, AbortController>();

  create(folder: string): RuntimeSession {
    const session = { id: crypto.randomUUID(), folder, prompts: [] };
    this.store.set(session.id, session);
    return session;
  }

  /** Runs a prompt. Resolves with `true` if it was not cancelled. */
  async run(id: string, prompt: string, onEvent: (event: RunEvent) => Promise<void>): Promise<boolean> {
    const session = this.store.get(id);
    if (session === undefined) throw new Error(`unknown session ${id}`);
    const stop = new AbortController();
    this.#runs.set(id, stop);
    session.prompts.push(prompt);
    for (const word of ["Prompt ", `${session.prompts.length} `, "of ", session.folder, "."]) {
      if (stop.signal.aborted) return false;
      await onEvent({ type: "text", delta: word });
    }
    await onEvent({ type: "action", id: "deploy", title: "Deploy", state: "started" });
    let allowed = false;
    await onEvent({
      type: "approval",
      action: "deploy",
      answer: (yes) => {
        allowed = yes;
      },
    });
    await onEvent({ type: "action", id: "deploy", title: "Deploy", state: "done" });
    await onEvent({ type: "text", delta: allowed ? `Deployed ${prompt}.` : "Not deployed." });
    return !stop.signal.aborted;
  }

  /** Cancels the latest run of a session. */
  cancel(id: string): void {
    this.#runs.get(id)?.abort();
  }
}
