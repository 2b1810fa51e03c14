import { Connection, type Transport } from "@acp-kit/jsonrpc";
import type { World } from "./world.js";
import { SimProcess } from "./world.js";

/** An update that a client received. */
export interface ReceivedUpdate {
  readonly seq: number;
  readonly text: string;
}

/** A session as a client knows it. */
export interface KnownSession {
  readonly sessionId: string;
  /** The cursor of what it received last; where it begins again. */
  cursor: string | undefined;
  /** The journal's number behind which it began. */
  from: number | undefined;
  readonly received: ReceivedUpdate[];
}

/** A prompt of a client. */
export interface SentPrompt {
  readonly name: string;
  readonly session: KnownSession;
  readonly outcomes: string[];
  /** How much the client had received when the response came. */
  receivedAtEnd: number;
  isOpen: boolean;
}

export interface SimClientOptions {
  readonly world: World;
  readonly name: string;
  readonly tenant: string;
  /** Connects to a replica; `undefined` if that refuses. */
  readonly connect: (process: SimProcess) => Transport | undefined;
  /** Called for each update, the moment it arrives. */
  readonly onUpdate: (session: KnownSession, update: ReceivedUpdate) => void;
  readonly problem: (message: string) => void;
}

/** A client that knows cursors: it connects again whenever it is cut off, and goes on where it was. */
export class SimClient {
  readonly process: SimProcess;
  readonly name: string;
  readonly tenant: string;
  readonly sessions = new Map<string, KnownSession>();
  readonly prompts: SentPrompt[] = [];
  readonly #options: SimClientOptions;
  #connection: Connection | undefined;
  #isReady = false;
  #isStopped = false;

  constructor(options: SimClientOptions) {
    this.#options = options;
    this.name = options.name;
    this.tenant = options.tenant;
    this.process = new SimProcess(options.world, options.name);
    void this.#stayConnected();
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  stop(): void {
    this.#isStopped = true;
    this.process.kill();
  }

  /** Cuts the connection. */
  async leave(): Promise<void> {
    await this.#connection?.close();
  }

  async newSession(): Promise<KnownSession | undefined> {
    try {
      const { sessionId } = await this.#request("session/new", { cwd: "/", mcpServers: [] });
      const session = { sessionId: sessionId as string, cursor: undefined, from: 0, received: [] };
      this.sessions.set(session.sessionId, session);
      return session;
    } catch {
      return undefined; // the connection was cut, or the engine out of reach
    }
  }

  /** Opens a session that another client of the same principal has created. */
  async join(sessionId: string): Promise<void> {
    if (this.sessions.has(sessionId)) return;
    const session: KnownSession = { sessionId, cursor: undefined, from: undefined, received: [] };
    this.sessions.set(sessionId, session);
    if (this.#isReady) await this.#open(session).catch(() => this.leave()); // else it is opened with the next connection
  }

  /** Tries to open the session of another tenant. */
  async trespass(sessionId: string): Promise<void> {
    for (const method of ["session/load", "session/resume", "session/prompt"]) {
      const prompt = [{ type: "text", text: "trespass" }];
      await this.#request(method, { sessionId, cwd: "/", mcpServers: [], prompt }).then(
        () => this.#options.problem(`isolation: ${method} of another tenant's session succeeded`),
        () => {},
      );
    }
  }

  prompt(session: KnownSession, name: string): void {
    const prompt: SentPrompt = { name, session, outcomes: [], receivedAtEnd: 0, isOpen: true };
    this.prompts.push(prompt);
    if (this.#isReady && session.from !== undefined) void this.#send(prompt); // else with the next opening
  }

  cancel(session: KnownSession): void {
    if (!this.#isReady) return;
    void this.#connection?.notify("session/cancel", { sessionId: session.sessionId });
  }

  async call(session: KnownSession, name: string): Promise<void> {
    if (!this.#isReady || session.from === undefined) return; // a session that is not opened yet would be joined at its end
    await this.#request("_count", { sessionId: session.sessionId, name }).catch(() => {});
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
      await world.sleep(world.random.int(20, 500));
    }
  }

  async #connect(): Promise<void> {
    const transport = this.#options.connect(this.process);
    if (transport === undefined) return;
    const connection = new Connection(transport, {
      orderBy: (_, params) => (params as { sessionId?: string } | undefined)?.sessionId,
    });
    this.#connection = connection;
    connection.onNotification("session/update", (params) => this.#received(params as Update));
    connection.onRequest("session/request_permission", () => this.#answer());
    connection.listen();
    const clientCapabilities = { _meta: { "acp-kit/cursors": true } };
    await this.#request("initialize", { protocolVersion: 1, clientCapabilities });
    for (const session of this.sessions.values()) await this.#open(session);
    this.#isReady = true;
    for (const prompt of this.prompts) if (prompt.isOpen && prompt.session.from !== undefined) void this.#send(prompt);
  }

  /** Goes on where it was. A session that it has just created, without having received anything, begins at the beginning. */
  async #open(session: KnownSession): Promise<void> {
    const { sessionId } = session;
    const cursor = session.cursor ?? (session.from === 0 ? "j0.0" : undefined);
    const _meta = cursor === undefined ? {} : { "acp-kit/cursor": cursor };
    const opened = await this.#request("session/resume", { sessionId, cwd: "/", mcpServers: [], _meta });
    const at = (opened._meta as { [key: string]: string })["acp-kit/cursor"] ?? "";
    session.cursor ??= at;
    session.from ??= seqOf(at);
    if (this.#isReady)
      for (const prompt of this.prompts) if (prompt.isOpen && prompt.session === session) void this.#send(prompt);
  }

  async #send(prompt: SentPrompt): Promise<void> {
    const { session, name } = prompt;
    const connection = this.#connection;
    const params = {
      sessionId: session.sessionId,
      prompt: [{ type: "text", text: name }],
      _meta: { "acp-kit/key": name },
    };
    const outcome = await connection?.request("session/prompt", params).then(
      (result) => (result as { readonly stopReason: string }).stopReason,
      (error: { readonly name?: string; readonly data?: { readonly reason?: string } }) =>
        error.name === "RpcError" ? `error ${error.data?.reason ?? JSON.stringify(error)}` : undefined,
    );
    if (outcome === undefined || !prompt.isOpen) return; // the connection was cut: it is sent again
    prompt.outcomes.push(outcome);
    prompt.isOpen = false;
    prompt.receivedAtEnd = session.received.length;
  }

  #received({ sessionId, update, _meta }: Update): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    const cursor = _meta?.["acp-kit/cursor"];
    if (cursor === undefined) {
      // A turn's start becomes several updates, of which the last has the cursor.
      if (!startsTurn.has(update.sessionUpdate)) this.#options.problem("an update without a cursor");
      return;
    }
    session.cursor = cursor;
    if (update.sessionUpdate !== "agent_message_chunk") return;
    const received = { seq: seqOf(cursor), text: update.content?.text ?? "" };
    session.received.push(received);
    this.#options.onUpdate(session, received);
  }

  async #answer(): Promise<object> {
    const { world } = this.#options;
    const { random } = world;
    await world.sleep(random.chance(0.2) ? random.int(5_000, 20_000) : random.int(0, 500)); // some users are away
    return { outcome: { outcome: "selected", optionId: random.chance(0.5) ? "yes" : "no" } };
  }

  /** A request with a time limit: a replica may have stopped. */
  async #request(method: string, params: object): Promise<{ readonly [member: string]: unknown }> {
    const connection = this.#connection;
    if (connection === undefined) throw new Error("not connected");
    const stop = this.#options.world.after(30_000, () => void connection.close());
    try {
      return (await connection.request(method, params)) as { readonly [member: string]: unknown };
    } finally {
      stop();
    }
  }
}

const startsTurn: ReadonlySet<string> = new Set(["session_info_update", "user_message_chunk"]);

interface Update {
  readonly sessionId: string;
  readonly update: { readonly sessionUpdate: string; readonly content?: { readonly text?: string } };
  readonly _meta?: { readonly [key: string]: string };
}

/** The number in a cursor. A real client does not look into it; the checks have to. */
export function seqOf(cursor: string): number {
  return Number.parseInt(cursor.slice(1), 36);
}
