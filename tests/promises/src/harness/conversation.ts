import {
  type AgentConnection,
  connectAgent,
  type Diagnostic,
  isCapabilityError,
  isConnectionError,
  isDecodeError,
  isRpcError,
  isSessionLostError,
  type PromptOptions,
  type Session,
  type Transport,
} from "@acp-kit/client";

/** The deadlines of the parts of a {@link Conversation}. */
export interface Patience {
  readonly idleTimeoutMs: number;
  readonly cancelTimeoutMs: number;
  readonly deadlineMs: number;
}

/** Runs all requests of a client, by name. Each settles in any case. */
export class Conversation {
  readonly #patience: Patience;
  readonly #running = new Set<string>();
  readonly diagnostics: Diagnostic[] = [];
  /** Rejections with an untyped error. */
  readonly untyped: string[] = [];
  client: AgentConnection | undefined;

  constructor(patience: Patience) {
    this.#patience = patience;
  }

  /** The promises that have not settled. */
  get hanging(): readonly string[] {
    return [...this.#running];
  }

  /** Runs the conversation. Resolves when everything has settled and the client has closed. */
  async play(transport: Transport): Promise<void> {
    const { deadlineMs, ...turns } = this.#patience;
    const client = await this.#settled(
      "connect",
      connectAgent(transport, {
        limits: {
          initializeTimeoutMs: deadlineMs,
          requestTimeoutMs: deadlineMs,
          cancelTimeoutMs: deadlineMs,
          drainTimeoutMs: deadlineMs,
        },
        onDiagnostic: (diagnostic) => this.diagnostics.push(diagnostic),
        permissions: async () => "allow_once",
        files: { readTextFile: () => ({ content: "source" }), writeTextFile() {} },
      }),
    );
    this.client = client;
    if (client === undefined) return;
    const sessions = [1, 2].map((n) => this.#settled(`new session ${n}`, client.newSession({ cwd: "/work" })));
    const others: Promise<unknown>[] = [
      this.#settled("list sessions", all(client.listSessions())),
      this.#settled("load session", client.loadSession({ sessionId: "saved-1", cwd: "/work" })),
    ];
    for (const [n, opening] of sessions.entries()) {
      const session = await opening;
      if (session !== undefined) others.push(...this.#prompts(`session ${n + 1}`, session, turns));
    }
    await Promise.all(others);
    await this.#settled("close", client.close());
    await this.#settled("closed", client.closed);
  }

  #prompts(name: string, session: Session, options: PromptOptions): Promise<unknown>[] {
    const words = ["say hello", "stream 20", "ask 2", "mix urwpu", "forget 5"];
    const results = words.map((text) => this.#settled(`${name}: ${text}`, session.prompt(text, options).result));
    const read = session.prompt("stream 5", options);
    const cancelled = session.prompt("wait", options);
    session.onUpdate((update) => {
      if (JSON.stringify(update).includes("waiting")) cancelled.cancel();
    });
    return [
      ...results,
      this.#settled(`${name}: reading`, all(read)),
      this.#settled(`${name}: read to the end`, read.result),
      this.#settled(`${name}: cancelled`, cancelled.result),
    ];
  }

  /** Returns the value, or `undefined` if the promise rejects. */
  async #settled<T>(name: string, promise: Promise<T>): Promise<T | undefined> {
    this.#running.add(name);
    try {
      return await promise;
    } catch (error) {
      if (!isTyped(error)) this.untyped.push(`${name}: ${error}`);
      return undefined;
    } finally {
      this.#running.delete(name);
    }
  }
}

/** Whether an error has one of our error classes. */
function isTyped(error: unknown): boolean {
  return [isRpcError, isConnectionError, isDecodeError, isCapabilityError, isSessionLostError].some((is) => is(error));
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
