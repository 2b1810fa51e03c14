import { deferred, onAbort } from "@acp-kit/protocol/internal";
import { type AgentProcess, spawnAgent } from "@acp-kit/stdio/node";
import { clientScript, type ScriptedClient } from "@acp-kit/testing";
import { jsonText } from "../../json-text.js";
import type { SandboxedAgent } from "./sandbox.js";

type Wire = Readonly<Record<string, unknown>>;

/** The response of an agent to a request. */
export type RawAnswer =
  | { readonly is: "result"; readonly result: Wire }
  | { readonly is: "error"; readonly code: unknown }
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
  readonly #client: ScriptedClient;
  readonly #listeners = new Set<(kind: string, update: object) => void>();

  constructor({ spawn }: SandboxedAgent) {
    this.process = spawnAgent({ ...spawn, detachedProcesses: "end", exitGraceMs: 10_000 });
    this.#client = clientScript()
      .onPermission("cancelled")
      .on("session/update", ({ params }) => {
        const { update } = (params ?? {}) as { readonly update?: unknown };
        for (const listener of this.#listeners) listener(kindOf(params), Object(update));
      })
      .connect(this.process);
  }

  /**
   * The received messages by name: the methods of requests and notifications, `update <kind>` with the last update of
   * this kind, and `malformed not_json` for lines that are not JSON.
   */
  get used(): ReadonlyMap<string, unknown> {
    const used = new Map<string, unknown>();
    for (const { from, message } of this.#client.seen) {
      if (from === "client") continue;
      if (message === undefined) used.set("malformed not_json", undefined);
      if (typeof message?.method !== "string") continue;
      used.set(message.method, undefined);
      const { update } = (message.params ?? {}) as { readonly update?: unknown };
      if (message.method === "session/update" && typeof update === "object" && update !== null)
        used.set(`update ${kindOf(message.params)}`, update);
    }
    return used;
  }

  /** Sends a request. Never rejects: after the time limit, the agent's end or `stop`, there is no response. */
  async request(method: string, params: unknown, stop?: AbortSignal): Promise<RawAnswer> {
    const none = deferred<RawAnswer>();
    const timer = setTimeout(() => none.resolve({ is: "none" }), answerMs);
    const ignore = onAbort(stop, () => none.resolve({ is: "none" }));
    const answer = this.#client.request(method, params).then(
      ({ result, error }): RawAnswer =>
        error ? { is: "error", code: error.code } : { is: "result", result: (result ?? {}) as Wire },
      (): RawAnswer => ({ is: "none" }), // the agent has ended
    );
    try {
      return await Promise.race([answer, none.promise]);
    } finally {
      clearTimeout(timer);
      ignore();
    }
  }

  notify(method: string, params: unknown): void {
    this.#client.notify(method, params);
  }

  /** Calls the listener with the kind of each update, and with the update. The returned function removes it. */
  onUpdate(listener: (kind: string, update: object) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.close();
  }
}

function kindOf(params: unknown): string {
  const { update } = (params ?? {}) as { readonly update?: { readonly sessionUpdate?: unknown } | null };
  const kind = update?.sessionUpdate;
  return typeof kind === "string" ? kind : jsonText(kind);
}

/** Returns the methods and updates that an agent has used and that its version of the protocol does not define. */
export function unknownUses(
  { used }: RawExchange,
  methods: ReadonlySet<string>,
  isKnownUpdate: (update: never) => boolean,
): string[] {
  return [...used]
    .filter(([name, update]) => (name.startsWith("update ") ? !isKnownUpdate(update as never) : !methods.has(name)))
    .map(([name]) => name)
    .sort();
}
