import { Connection, type Transport } from "@acp-kit/jsonrpc";
import { onAbort } from "@acp-kit/jsonrpc/internal";
import type { Answers } from "./answers.js";
import type { HistoryEntry } from "./history.js";
import { Random } from "./random.js";
import type { Record as Log } from "./record.js";
import { userAnswers } from "./sim-agent.js";
import { split, wordOf } from "./words.js";
import { SimProcess, type World } from "./world.js";

export interface PlainClientOptions {
  readonly world: World;
  readonly name: string;
  /** The label of the principal. */
  readonly tenant: string;
  /** Whether the client may only read. */
  readonly isObserver: boolean;
  /** The seed of separate random numbers. */
  readonly seed: number;
  readonly log: Log;
  readonly answers: Answers;
  /** Connects to a replica; `undefined` if the replica refuses. */
  readonly connect: (process: SimProcess, isObserver: boolean) => Transport | undefined;
  /** The sessions of the principal's other clients. */
  readonly sessions: () => readonly string[];
  /** The number of trims of a session. */
  readonly trims: (sessionId: string) => number;
}

/**
 * A client that does not know the extensions of the gateway: it has no cursors, no client id and no keys of prompts.
 * After each loss of its connection it loads its sessions again.
 */
export class PlainClient {
  readonly #options: PlainClientOptions;
  readonly #process: SimProcess;
  readonly #random: Random;
  /** The words of each session that is loaded on the current connection: those of the replay and all later ones. */
  readonly #words = new Map<string, string[]>();
  /** The sessions of which entries were removed during the load, so that the load may have skipped some of them. */
  readonly #unchecked = new Set<string>();
  /** The sessions that the client loads on each connection. */
  readonly #joined = new Set<string>();
  #connection: Connection | undefined;
  #prompts = 0;
  #pending = 0;
  #isReady = false;
  #isStopped = false;

  constructor(options: PlainClientOptions) {
    this.#options = options;
    this.#process = new SimProcess(options.world, options.name);
    this.#random = new Random(options.seed ^ 0x0b5e_77e5);
    void this.#stayConnected();
  }

  /** Whether the client has loaded its sessions, and none of its prompts is open. */
  get isSettled(): boolean {
    return this.#isReady && this.#pending === 0;
  }

  stop(): void {
    this.#isStopped = true;
    this.#process.kill();
  }

  /** Lets the user of the client act at random times. */
  async run(isOver: () => boolean): Promise<void> {
    const { world } = this.#options;
    for (;;) {
      await world.sleep(this.#random.int(50, 1_500));
      if (isOver()) return;
      if (this.#random.chance(0.15)) await this.#connection?.close();
      else if (this.#isReady) await this.#act();
    }
  }

  async #act(): Promise<void> {
    const { sessions, isObserver } = this.#options;
    const known = this.#random.pick([...this.#words.keys()]);
    const other = this.#random.pick(sessions().filter((sessionId) => !this.#joined.has(sessionId)));
    if (other !== undefined && (known === undefined || this.#random.chance(0.4))) {
      this.#joined.add(other);
      await this.#load(other);
    } else if (known !== undefined && isObserver) await this.#trespass(known);
    else if (known !== undefined) void this.#prompt(known);
  }

  /** Tries what an observer may not do. */
  async #trespass(sessionId: string): Promise<void> {
    const { name, log } = this.#options;
    const method = this.#random.pick(["session/prompt", "session/delete", "_count"]) ?? "";
    const prompt = [{ type: "text", text: `${name}/trespass` }];
    void this.#connection?.notify("session/cancel", { sessionId });
    await this.#request(method, { sessionId, prompt }).then(
      () => log.problem(`isolation: ${method} of the observer ${name} succeeded`),
      () => {},
    );
  }

  async #prompt(sessionId: string): Promise<void> {
    const { name, tenant, log, world, trims } = this.#options;
    const text = `${tenant}/${name}/${this.#prompts++}`;
    this.#pending += 1;
    const at = world.now();
    await this.#connection?.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }).then(
      () => {
        if (!log.executed.has(text)) log.problem(`prompts: ${text} ended and did not run`);
      },
      (error: unknown) => {
        const isFaulty = log.hasFault(["replica", "engine", "full", "calls", "agent"], at, world.now(), 10_000);
        const { reason } = (error as { readonly data?: { readonly reason?: string } }).data ?? {};
        const isExplained = reason === "cursor_expired" ? trims(sessionId) > 0 : isFaulty;
        if ((error as Error).name === "RpcError" && !isExplained)
          log.problem(`settled: ${text} with ${error}, which no fault explains`);
      },
    );
    this.#pending -= 1;
  }

  async #stayConnected(): Promise<void> {
    const { world } = this.#options;
    while (!this.#isStopped) {
      try {
        await this.#connect();
        await this.#connection?.closed;
      } catch {
        await this.#connection?.close();
      }
      this.#isReady = false;
      this.#words.clear();
      await world.sleep(this.#random.int(20, 500));
    }
  }

  async #connect(): Promise<void> {
    const { connect, isObserver } = this.#options;
    const transport = connect(this.#process, isObserver);
    if (transport === undefined) return;
    const connection = new Connection(transport, {
      orderBy: (_, params) => (params as { sessionId?: string } | undefined)?.sessionId,
    });
    this.#connection = connection;
    connection.onNotification("session/update", (params) => {
      const { sessionId, update } = params as { readonly sessionId: string; readonly update: unknown };
      this.#words.get(sessionId)?.push(...split(wordOf(update)));
    });
    connection.onRequest("session/request_permission", (params, { signal }) =>
      this.#answer(params, signal, connection),
    );
    connection.listen();
    await this.#request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    for (const sessionId of this.#joined) await this.#load(sessionId);
    this.#isReady = true;
  }

  async #load(sessionId: string): Promise<void> {
    const { trims } = this.#options;
    const before = trims(sessionId);
    this.#words.set(sessionId, []);
    this.#unchecked.delete(sessionId);
    try {
      await this.#request("session/load", { sessionId, cwd: "/", mcpServers: [] });
      if (trims(sessionId) !== before) this.#unchecked.add(sessionId);
    } catch (error) {
      this.#words.delete(sessionId);
      if ((error as { readonly code?: number }).code === UNKNOWN_SESSION) this.#joined.delete(sessionId);
      else await this.#connection?.close();
    }
  }

  async #answer(params: unknown, signal: AbortSignal, connection: Connection): Promise<object> {
    const { world, name: client, answers, isObserver, log } = this.#options;
    const { toolCall } = params as { readonly toolCall: { readonly toolCallId: string } };
    const request = toolCall.toolCallId;
    if (isObserver) log.problem(`dialogs: the observer ${client} received ${request}`);
    const dialog = answers.shown({ client, request, connection, openedAt: world.now() });
    onAbort(signal, () => {
      dialog.closedAt ??= world.now();
    });
    await world.sleep(this.#random.int(0, 3_000));
    const optionId = this.#random.pick(userAnswers) ?? "";
    if (!signal.aborted) Object.assign(dialog, { closedAt: world.now(), answer: optionId });
    return { outcome: { outcome: "selected", optionId } };
  }

  /** Sends a request with a time limit, because the replica may have stopped. */
  async #request(method: string, params: object): Promise<unknown> {
    const connection = this.#connection;
    if (connection === undefined) throw new Error("not connected");
    const stop = this.#options.world.after(30_000, () => void connection.close());
    try {
      return await connection.request(method, params);
    } finally {
      stop();
    }
  }

  /** Checks that the client has every word of its sessions once, from the start of a kept turn on. */
  async check(journalOf: (tenant: string, sessionId: string) => Promise<readonly HistoryEntry[]>): Promise<void> {
    const { name, tenant, log } = this.#options;
    for (const [sessionId, words] of this.#words) {
      if (this.#unchecked.has(sessionId)) continue;
      const journal = await journalOf(tenant, sessionId);
      const firsts = [1, ...journal.flatMap(({ first }) => first ?? [])];
      const text = withoutCommands(words);
      const fits = firsts.some((first) => {
        const kept = journal.filter(({ seq }) => seq >= first).map((entry) => entry.words);
        return withoutCommands(kept.filter((word) => word !== "")) === text;
      });
      if (!fits) log.problem(`delivery: the client ${name} without cursors has "${text}" of ${sessionId}`);
    }
  }
}

/** Joins words without the lists of commands, which a load repeats when their entries are removed. */
function withoutCommands(words: readonly string[]): string {
  return words.filter((word) => !word.endsWith(":commands ")).join("");
}

const UNKNOWN_SESSION = -32002;
