import { deferred, onAbort } from "@acp-kit/protocol/internal";
import { type AgentProcess, spawnAgent } from "@acp-kit/stdio/node";
import { jsonText } from "../../json-text.js";
import type { SandboxedAgent } from "./sandbox.js";

type Wire = Readonly<Record<string, unknown>>;

/** The response of an agent to a request. */
export type RawAnswer =
  | { readonly is: "result"; readonly result: Wire }
  | { readonly is: "error"; readonly code: unknown; readonly message: string }
  /** No response arrived within the time limit, or the agent ended. */
  | { readonly is: "none" };

const answerMs = 120_000;

/**
 * Exchanges messages with an agent without `@acp-kit/client`, whose compatibility rules and capability gates would hide
 * the measured behaviour. Cancels permission requests of the agent, and responds to all its other requests with an
 * error.
 */
export class RawExchange implements AsyncDisposable {
  readonly process: AgentProcess;
  /**
   * The received messages by name: the methods of requests and notifications, `update <kind>` with the last update of
   * this kind, and `malformed <kind>` for invalid input.
   */
  readonly used: Map<string, unknown> = new Map();
  readonly #pending = new Map<number, (answer: RawAnswer) => void>();
  readonly #listeners = new Set<(kind: string) => void>();
  #id = 0;
  #hasEnded = false;

  constructor({ spawn }: SandboxedAgent) {
    this.process = spawnAgent({ ...spawn, detachedProcesses: "end", exitGraceMs: 10_000 });
    this.process.start({
      message: (value) => this.#receive(value as Wire),
      malformed: ({ kind }) => void this.used.set(`malformed ${kind}`, undefined),
      ended: () => {},
      failed: () => this.#end(),
    });
    void this.process.exited.then(() => this.#end());
  }

  /** Sends a request. Never rejects: after the time limit, the agent's end or `stop`, there is no response. */
  async request(method: string, params: unknown, stop?: AbortSignal): Promise<RawAnswer> {
    if (this.#hasEnded) return { is: "none" };
    this.#id += 1;
    const id = this.#id;
    const answer = deferred<RawAnswer>();
    this.#pending.set(id, answer.resolve);
    const timer = setTimeout(() => answer.resolve({ is: "none" }), answerMs);
    const ignore = onAbort(stop, () => answer.resolve({ is: "none" }));
    this.process.send({ jsonrpc: "2.0", id, method, params } as never);
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      ignore();
      this.#pending.delete(id);
    }
  }

  notify(method: string, params: unknown): void {
    this.process.send({ jsonrpc: "2.0", method, params } as never);
  }

  /** Calls the listener with the kind of each update. */
  onUpdate(listener: (kind: string) => void): void {
    this.#listeners.add(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.close();
  }

  #receive(message: Wire): void {
    if (typeof message !== "object" || message === null) return;
    const { id, method, params } = message;
    if (typeof method !== "string") {
      const settle = typeof id === "number" ? this.#pending.get(id) : undefined;
      settle?.(answerOf(message));
      return;
    }
    this.used.set(method, undefined);
    const { update } = (params ?? {}) as { readonly update?: Wire };
    if (method === "session/update" && typeof update === "object" && update !== null) {
      const kind = wordOf(update.sessionUpdate);
      this.used.set(`update ${kind}`, update);
      for (const listener of this.#listeners) listener(kind);
    }
    if (id === undefined || id === null) return;
    const result = { outcome: { outcome: "cancelled" } };
    const error = { code: -32601, message: `Method not found: ${method}` };
    this.process.send({
      jsonrpc: "2.0",
      id,
      ...(method === "session/request_permission" ? { result } : { error }),
    } as never);
  }

  #end(): void {
    this.#hasEnded = true;
    for (const settle of this.#pending.values()) settle({ is: "none" });
  }
}

function answerOf({ result, error }: Wire): RawAnswer {
  if (error === undefined || error === null) return { is: "result", result: (result ?? {}) as Wire };
  const { code, message } = error as Wire;
  return { is: "error", code, message: wordOf(message) };
}

/** Returns a text itself, and any other value as JSON. */
function wordOf(value: unknown): string {
  return typeof value === "string" ? value : jsonText(value);
}
