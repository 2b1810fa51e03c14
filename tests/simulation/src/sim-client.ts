import { Connection, type Transport } from "@acp-kit/jsonrpc";
import { onAbort } from "@acp-kit/jsonrpc/internal";
import type { EntryPosition } from "./acknowledged-entries.js";
import type { Dialog } from "./answers.js";
import type { Loaded } from "./check-retention.js";
import { ShownCommands, ShownSettings, type Version, type WithSettings } from "./shown-state.js";
import { userAnswers } from "./sim-agent.js";
import { isSettingOf, modeIds, settingOf, split, wordOf } from "./words.js";
import type { World } from "./world.js";
import { SimProcess } from "./world.js";

/** An update that a client received. */
export interface ReceivedUpdate extends EntryPosition {
  readonly text: string;
  /** Whether the update has words of several entries, of which the position is that of the last one. */
  readonly isJoined?: boolean;
}

/** A part of a session that a client followed without a gap. */
export interface Stretch {
  /** The number of the entry after which the part starts. */
  readonly from: number | undefined;
  /** The last entry of the part. If it is absent, the part continues to the end of the session. */
  readonly until?: EntryPosition;
  readonly received: readonly ReceivedUpdate[];
}

/** A value of a setting that a client has set. */
interface SetValue {
  readonly value: string;
  readonly at: number;
}

/** The client's state of a session. */
export interface KnownSession extends Stretch {
  readonly sessionId: string;
  /** The last received cursor, from which the client continues. */
  cursor: string | undefined;
  from: number | undefined;
  received: ReceivedUpdate[];
  /** The parts that the client followed before it had to load the session, because its cursor had expired. */
  readonly earlier: Stretch[];
  /** The text of the updates of a running load; `undefined` while no load runs. */
  replay: string | undefined;
  /**
   * Whether the client loads the session although it is open. Further updates of the open session may arrive before the
   * replay.
   */
  isReopening: boolean;
  /** The cursors for which the client got the error that the journal has lost entries. */
  readonly lostAt: EntryPosition[];
  /** The number of the entry after which the client opened the session last. */
  openedAt: number;
  /** Whether the gateway reported that the session does not exist. */
  isUnknown: boolean;
  /** The current settings, as the client shows them. */
  readonly settings: ShownSettings;
  /** The commands of the agent, as the client shows them. */
  commands: ShownCommands;
  /** Those of the running load. */
  replayedCommands: ShownCommands;
  /** The updates received after the cursor: parts of one entry, of which the last has the next cursor. */
  parts: string[];
  /** Those of them that the client received on an earlier connection. It drops them when they arrive again. */
  dropped: string[];
  /** The last value of each setting that the client has set itself. */
  readonly set: { mode?: SetValue; option?: SetValue };
  /** Whether the client shows that a turn runs. */
  isRunning: boolean;
}

function knownSession(sessionId: string, from: number | undefined, version: Version): KnownSession {
  return {
    ...{ sessionId, cursor: undefined, from, received: [], earlier: [], replay: undefined },
    ...{ isReopening: false, lostAt: [], openedAt: 0, isUnknown: false, isRunning: false },
    ...{
      settings: new ShownSettings(version),
      commands: new ShownCommands(version),
      replayedCommands: new ShownCommands(version),
      set: {},
      parts: [],
      dropped: [],
    },
  };
}

/** A prompt of a client. */
export interface SentPrompt {
  readonly name: string;
  readonly session: KnownSession;
  readonly outcomes: string[];
  /** The updates that the client had received, outside of loads, when the response arrived. */
  received: readonly ReceivedUpdate[];
  /** The replayed text that the client received when it loaded the open session after it had sent the prompt. */
  replayed: string;
  /**
   * Whether the client has followed the session without a load since it sent the prompt, apart from loads of the open
   * session.
   */
  isWhole: boolean;
  isOpen: boolean;
  /** Whether the client sends the prompt without having opened the session. */
  readonly isUnopened: boolean;
  /** The place of the prompt among the prompts and interruptions of the client. */
  readonly order: number;
  readonly at: number;
  settledAt?: number;
  /** The connections on which the client sent the prompt. */
  readonly connections: Set<Connection>;
}

/** A request of a client to cancel the turn of a session, or to close the session. */
export interface Interruption {
  readonly is: "cancel" | "close";
  readonly client: string;
  readonly session: string;
  /** The place of the interruption among the prompts and interruptions of the client. */
  readonly order: number;
  readonly connection: Connection;
  readonly at: number;
  /** The time at which the client knew that the gateway had executed the request. */
  doneAt?: number;
}

export interface SimClientOptions {
  readonly world: World;
  readonly name: string;
  readonly tenant: string;
  readonly version: Version;
  /** Whether agents and clients speak version 1 or 2. */
  readonly isMixed: boolean;
  /** Whether the version of a session's agent stays the same. */
  readonly isOneVersionOfAgents: boolean;
  /** Connects to a replica; `undefined` if the replica refuses. */
  readonly connect: (process: SimProcess) => Transport | undefined;
  /** Whether the client serves files to agents. */
  readonly servesFiles: boolean;
  /** Whether the client serves terminals to agents. */
  readonly servesTerminals: boolean;
  /**
   * Whether the client continues under one id on all its connections, names the prompts that it will repeat, and sends
   * each prompt twice.
   */
  readonly hasId: boolean;
  /** Called for each update when it arrives. */
  readonly onUpdate: (session: KnownSession, update: ReceivedUpdate) => void;
  /** The number of trims of a session. */
  readonly trims: (sessionId: string) => number;
  /** Called when a session was loaded. */
  readonly onLoaded: (loaded: Loaded) => void;
  /** Called when a client shows a request of an agent to its user. */
  readonly onDialog: (dialog: Dialog) => Dialog;
  readonly problem: (message: string) => void;
}

/** A client that uses cursors. When it loses its connection, it connects again and continues from its cursors. */
export class SimClient {
  readonly process: SimProcess;
  readonly name: string;
  readonly tenant: string;
  readonly sessions = new Map<string, KnownSession>();
  readonly prompts: SentPrompt[] = [];
  readonly interruptions: Interruption[] = [];
  /** The number of loads and resumes of open sessions that succeeded. */
  reopenings = 0;
  /** The number of changes of settings that succeeded. */
  changes = 0;
  #settings = 0;
  /** The terminals that agents have created at this client. */
  readonly #terminals = new Set<string>();
  /** The sessions that the client has used on the current connection without having opened them. */
  readonly #used = new Set<string>();
  #order = 0;
  /** The id that the gateway gave to the client, if it asked for one. */
  #id: string | undefined;
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
      const created = await this.#request("session/new", { cwd: "/", mcpServers: [] });
      const session = knownSession(created.sessionId as string, 0, this.#options.version);
      session.settings.opened(created);
      this.sessions.set(session.sessionId, session);
      return session;
    } catch {
      return undefined; // the connection was cut, or the engine unavailable
    }
  }

  /** Opens a session that another client of the same principal has created. */
  async join(sessionId: string): Promise<void> {
    if (this.sessions.has(sessionId)) return;
    const session = knownSession(sessionId, undefined, this.#options.version);
    this.sessions.set(sessionId, session);
    // Without a connection, the next connection opens the session
    if (this.#isReady) await this.#open(session).catch(() => this.leave());
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
    const prompt = this.#addPrompt(name, session);
    if (session.isUnknown) this.#forget(session);
    // Without a connection or an open session, the prompt is sent when the session is opened.
    else if (this.#isReady && session.from !== undefined) void this.#send(prompt);
  }

  #addPrompt(name: string, session: KnownSession, isUnopened = false): SentPrompt {
    const prompt: SentPrompt = {
      ...{ name, session, outcomes: [], received: [], replayed: "", isWhole: !isUnopened, isOpen: true, isUnopened },
      ...{ order: this.#order++, at: this.#options.world.now(), connections: new Set() },
    };
    this.prompts.push(prompt);
    return prompt;
  }

  cancel(session: KnownSession): void {
    const interruption = this.#interruption("cancel", session.sessionId);
    if (interruption !== undefined) this.#notifyCancel(interruption);
  }

  #interruption(is: "cancel" | "close", session: string): Interruption | undefined {
    const connection = this.#connection;
    if (!this.#isReady || connection === undefined) return undefined;
    const interruption = { is, client: this.name, session, order: this.#order++, connection };
    this.interruptions.push({ ...interruption, at: this.#options.world.now() });
    return this.interruptions.at(-1);
  }

  #notifyCancel({ connection, session: sessionId }: Interruption): void {
    void connection.notify("session/cancel", { sessionId });
  }

  /** Whether the client has opened a session on its connection, or used it. */
  hasUsed(sessionId: string): boolean {
    return this.sessions.has(sessionId) || this.#used.has(sessionId);
  }

  /** Opens a session again that is open on the same connection. */
  async reopen(session: KnownSession, method: "load" | "resume"): Promise<void> {
    try {
      if (method === "load") await this.#load(session, true);
      else await this.#resume(session, undefined);
      this.reopenings += 1;
    } catch (error) {
      if ((error as GatewayFailure).code === UNKNOWN_SESSION) this.#forget(session);
    }
  }

  /**
   * Cancels the turn of a session that the client has not opened. Then sends a prompt, if it has a name, and a call, of
   * which the response confirms the cancellation.
   */
  async cancelUnopened(sessionId: string, call: string, prompt: string | undefined): Promise<void> {
    const cancellation = this.#interruption("cancel", sessionId);
    if (cancellation === undefined) return;
    this.#used.add(sessionId);
    this.#notifyCancel(cancellation);
    if (prompt !== undefined) {
      const session = knownSession(sessionId, undefined, this.#options.version);
      void this.#send(this.#addPrompt(prompt, session, true));
    }
    await this.#confirm(cancellation, "_count", { sessionId, name: call });
  }

  /** Closes a session that the client has not opened. */
  async closeUnopened(sessionId: string): Promise<void> {
    const closing = this.#interruption("close", sessionId);
    if (closing !== undefined) await this.#confirm(closing, "session/close", { sessionId });
  }

  async #confirm(interruption: Interruption, method: string, params: object): Promise<void> {
    const confirmed = await this.#request(method, params).catch(() => undefined);
    if (confirmed !== undefined) interruption.doneAt = this.#options.world.now();
  }

  /** Deletes a session. Resolves with `true` if the gateway confirmed the deletion. */
  async delete(session: KnownSession): Promise<boolean> {
    try {
      await this.#request("session/delete", { sessionId: session.sessionId });
    } catch {
      return false; // the connection was cut, or the engine unavailable
    }
    this.#forget(session);
    return true;
  }

  async call(session: KnownSession, name: string): Promise<void> {
    // A call in a session that is not open would attach the client at the end of the session
    if (!this.#isReady || session.from === undefined) return;
    await this.#request("_count", { sessionId: session.sessionId, name }).catch(() => {});
  }

  /** Changes a setting of a session. */
  async set(session: KnownSession, kind: "mode" | "option"): Promise<void> {
    const { sessionId } = session;
    const { version, isMixed, isOneVersionOfAgents, problem, world } = this.#options;
    const number = this.#settings++;
    const word = settingOf(`${this.tenant}/${this.name}`, number, kind);
    const value = !isMixed ? word : kind === "mode" ? (modeIds[number % modeIds.length] ?? "") : word.trimEnd();
    // With an agent of version 2, a client of version 1 has the mode as an option, too
    const isMode = kind === "mode" && version === 1 && (session.settings.modeOption === undefined || number % 2 === 0);
    const params = isMode ? { modeId: value } : { configId: kind, value, ...(version === 2 && { type: "id" }) };
    try {
      const method = isMode ? "session/set_mode" : "session/set_config_option";
      const result = await this.#request(method, { sessionId, ...params });
      session.settings.changed(isMode ? { ...result, currentModeId: value } : result);
      session.set[kind] = { value, at: world.now() };
      this.changes += 1;
    } catch (error) {
      // The connection was cut, or the engine unavailable: the agent may have changed the setting.
      const { code = 0 } = error as GatewayFailure;
      if (isOneVersionOfAgents && refusals.has(code))
        problem(`settings: ${this.name} could not change the ${kind} of ${sessionId}: ${error}`);
    }
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
      for (const session of this.sessions.values()) session.dropped = session.parts.splice(0);
      await world.sleep(world.random.int(20, 500));
    }
  }

  async #connect(): Promise<void> {
    const { servesFiles, servesTerminals, hasId, problem } = this.#options;
    const transport = this.#options.connect(this.process);
    if (transport === undefined) return;
    const connection = new Connection(transport, {
      orderBy: (_, params) => (params as { sessionId?: string } | undefined)?.sessionId,
    });
    this.#connection = connection;
    this.#used.clear();
    connection.onNotification("session/update", (params) => this.#received(params as Update));
    connection.onRequest("session/request_permission", async (params, { signal }) => {
      const { toolCall } = params as { readonly toolCall: { readonly toolCallId: string } };
      const optionId = await this.#answer(toolCall.toolCallId, signal, connection);
      return { outcome: { outcome: "selected", optionId } };
    });
    connection.onRequest("elicitation/create", async (params, { signal }) => {
      const { message } = params as { readonly message: string };
      // With the name, so that the answers of all users differ
      const answer = await this.#answer(message, signal, connection, `${this.name} `);
      return { action: "accept", content: { answer } };
    });
    connection.onRequest("fs/read_text_file", async (params, { signal }) => {
      const { path } = params as { readonly path: string };
      if (!servesFiles) problem(`dialogs: ${this.name} received a request for ${path}, and serves no files`);
      return { content: await this.#answer(path, signal, connection) };
    });
    connection.onRequest("terminal/create", (params) => {
      const terminalId = (params as { readonly command: string }).command;
      if (!servesTerminals)
        problem(`dialogs: ${this.name} received a request for ${terminalId}, and serves no terminals`);
      this.#terminals.add(terminalId);
      return { terminalId };
    });
    connection.onRequest("terminal/output", async (params, { signal }) => {
      const { terminalId } = params as { readonly terminalId: string };
      if (!this.#terminals.has(terminalId))
        problem(`dialogs: ${this.name} received a request for ${terminalId}, a terminal of another client`);
      return { output: await this.#answer(terminalId, signal, connection), truncated: false };
    });
    connection.onRequest("terminal/release", () => ({}));
    connection.listen();
    const fs = { readTextFile: true };
    const clientCapabilities = {
      _meta: { "acp-kit/cursors": true },
      ...(servesFiles && { fs }),
      ...(servesTerminals && { terminal: true }),
    };
    const identity = hasId ? { _meta: { "acp-kit/client": this.#id ?? true } } : {};
    const { _meta } = await this.#request("initialize", { protocolVersion: 1, clientCapabilities, ...identity });
    if (hasId) this.#id = (_meta as Meta)["acp-kit/client"];
    for (const session of this.sessions.values()) if (!session.isUnknown) await this.#open(session);
    this.#isReady = true;
    for (const prompt of this.prompts)
      if (prompt.isOpen && (prompt.session.from !== undefined || prompt.isUnopened)) void this.#send(prompt);
  }

  /**
   * Continues a session from its cursor. A session that was just created, without a received update, starts at its
   * first entry.
   */
  async #open(session: KnownSession): Promise<void> {
    const { random } = this.#options.world;
    const cursor = session.cursor ?? (session.from === 0 ? "j0.0" : undefined);
    try {
      if (cursor !== undefined && random.chance(0.1))
        await this.#load(session); // some clients load the session again, like a web page after a reload
      else
        await this.#resume(session, cursor).catch((error: GatewayFailure) => {
          const reason = error.data?.reason ?? "";
          if (reason === "journal_lost" && cursor !== undefined) session.lostAt.push(entryAt(cursor));
          if (reason !== "cursor_expired" && reason !== "journal_lost") throw error;
          return this.#load(session);
        });
    } catch (error) {
      if ((error as GatewayFailure).code !== UNKNOWN_SESSION) throw error;
      this.#forget(session);
    }
    if (this.#isReady)
      for (const prompt of this.prompts) if (prompt.isOpen && prompt.session === session) void this.#send(prompt);
  }

  /** Handles the report that a session does not exist. */
  #forget(session: KnownSession): void {
    session.isUnknown = true;
    if (session.from !== undefined) this.#endStretch(session, undefined);
    for (const prompt of this.prompts) {
      if (prompt.session !== session || !prompt.isOpen) continue;
      prompt.isOpen = false;
      prompt.outcomes.push("error unknown_session");
    }
  }

  /** Ends the part of a session that the client follows. @param from the start of the next part, if there is one. */
  #endStretch(session: KnownSession, from: number | undefined): void {
    const { cursor = "j0.0", from: begin, received } = session;
    session.earlier.push({ from: begin, received, until: entryAt(cursor) });
    Object.assign(session, { from, received: [] });
  }

  async #resume(session: KnownSession, cursor: string | undefined): Promise<void> {
    const { sessionId } = session;
    const _meta = { ...(cursor !== undefined && { "acp-kit/cursor": cursor }), ...this.#repeated(session) };
    const opened = await this.#request("session/resume", { sessionId, cwd: "/", mcpServers: [], _meta });
    const at = this.#opened(session, opened as unknown as Opened)["acp-kit/cursor"] ?? "";
    session.cursor ??= at;
    session.from ??= entryAt(at).seq;
  }

  /**
   * Loads the session, and follows it from then on.
   *
   * @param isOpen whether the session is open on the same connection.
   */
  async #load(session: KnownSession, isOpen = false): Promise<void> {
    const { sessionId } = session;
    const { trims, onLoaded } = this.#options;
    const trimsBefore = trims(sessionId);
    if (isOpen) session.isReopening = true;
    else session.replay = "";
    session.replayedCommands = new ShownCommands(this.#options.version);
    Object.assign(session, { parts: [], dropped: [] });
    try {
      const _meta = this.#repeated(session);
      const opened = await this.#request("session/load", { sessionId, cwd: "/", mcpServers: [], _meta });
      const meta = this.#opened(session, opened as unknown as Opened);
      const cursor = String(meta["acp-kit/cursor"]);
      const at = entryAt(cursor);
      const { replay: text = "" } = session;
      const removedTurns = Number(meta["acp-kit/removed-turns"] ?? 0);
      onLoaded({ session: sessionId, text, at, trimsBefore, removedTurns });
      this.#endStretch(session, at.seq);
      session.cursor = cursor;
      // If entries were removed during the load, it has skipped some of them
      const isWhole = trims(sessionId) === trimsBefore;
      session.commands = isWhole ? session.replayedCommands : new ShownCommands(this.#options.version);
      for (const prompt of this.prompts) {
        if (prompt.session !== session || !prompt.isOpen) continue;
        if (isOpen) prompt.replayed = text;
        else prompt.isWhole = false;
      }
    } finally {
      session.replay = undefined;
      session.isReopening = false;
    }
  }

  /** Names the prompts that the client will repeat in a session. */
  #repeated(session: KnownSession): object {
    if (!this.#options.hasId) return {};
    const open = this.prompts.filter((prompt) => prompt.isOpen && prompt.session === session);
    return { "acp-kit/prompts": open.map(({ name }) => ({ key: name })) };
  }

  /** Applies the response to a load or resume. */
  #opened(session: KnownSession, { _meta, ...opened }: Opened): Meta {
    session.settings.opened(opened);
    session.isRunning = _meta["acp-kit/turn"] === "running";
    session.openedAt = entryAt(_meta["acp-kit/cursor"] ?? "j0.0").seq;
    return _meta;
  }

  async #send(prompt: SentPrompt): Promise<void> {
    const { session, name } = prompt;
    const connection = this.#connection;
    if (connection !== undefined) prompt.connections.add(connection);
    if (prompt.isUnopened) this.#used.add(session.sessionId);
    const params = {
      sessionId: session.sessionId,
      prompt: [{ type: "text", text: name }],
      _meta: { "acp-kit/key": name },
    };
    if (this.#options.hasId) void connection?.request("session/prompt", params).catch(() => {});
    const outcome = await connection?.request("session/prompt", params).then(
      (result) => (result as { readonly stopReason: string }).stopReason,
      (error: GatewayFailure) => (error.name === "RpcError" ? `error ${reasonOf(error)}` : undefined),
    );
    if (outcome === undefined || !prompt.isOpen) return; // the connection was cut: the prompt is repeated
    prompt.outcomes.push(outcome);
    prompt.isOpen = false;
    prompt.settledAt = this.#options.world.now();
    if (!outcome.startsWith("error") || endsTurn.has(outcome)) session.isRunning = false;
    prompt.received = [...session.received];
  }

  #received({ sessionId, update, _meta }: Update): void {
    const session = this.sessions.get(sessionId);
    if (session === undefined) return;
    const cursor = _meta?.["acp-kit/cursor"];
    if (!this.#isNewPart(session, update, cursor)) return;
    const { seq: position } = entryAt(session.cursor ?? "j0.0");
    // The commands of an agent of version 2 belong to the response that opens a session. In version 1 they are an
    // update.
    const isSetup = cursor !== undefined && entryAt(cursor).seq <= session.openedAt;
    const isReplay = session.replay !== undefined || session.isReopening;
    if (isSetup && update.sessionUpdate === "available_commands_update" && !isReplay) return;
    // A replay starts at the first entry of the journal, and the client has received entries before. Its first update
    // may join words of such entries with later ones, and then has the cursor of the last word.
    const isKnown = (word: string): boolean => session.received.some(({ text }) => text === word);
    const startsReplay =
      cursor !== undefined && (entryAt(cursor).seq <= position || split(wordOf(update)).some(isKnown));
    if (session.isReopening && startsReplay) session.replay ??= "";
    const isReplayed = session.replay !== undefined;
    (isReplayed ? session.replayedCommands : session.commands).updated(update);
    if (session.replay !== undefined) {
      session.replay += wordOf(update);
      return;
    }
    session.settings.changed(update);
    const turn = update._meta?.["acp-kit/turn"];
    if (turn !== undefined) session.isRunning = turn === "running";
    if (session.from === undefined) return; // the client has used the session, and is just opening it
    const text = wordOf(update);
    if (cursor === undefined) {
      // Some entries become several updates, of which only the last has the cursor.
      if (text !== "") this.#options.problem(`an update without a cursor: ${text}`);
      return;
    }
    // The gateway sends a later change by another client again after the response to this client's own change.
    session.cursor = cursor;
    const isSetting = this.#settings > 0 && /:(mode|option) $/.test(text);
    if (isSetting && (isSettingOf(this.name, text) || session.received.some((one) => one.text === text))) return;
    if (text === "") return;
    const words = update.sessionUpdate === "agent_message_chunk" ? split(text) : [text];
    for (const word of words) {
      const received = { ...entryAt(cursor), text: word, ...(words.length > 1 && { isJoined: true }) };
      session.received.push(received);
      this.#options.onUpdate(session, received);
    }
  }

  /** Returns whether an update is not a part of an entry that the client has received on an earlier connection. */
  #isNewPart(session: KnownSession, update: object, cursor: string | undefined): boolean {
    if (cursor !== undefined) {
      Object.assign(session, { parts: [], dropped: [] });
      return true;
    }
    const part = JSON.stringify(update);
    session.parts.push(part);
    const before = session.dropped.shift();
    if (before !== undefined && before !== part)
      this.#options.problem(`parts: ${this.name} drops ${part} of ${session.sessionId}, and had received ${before}`);
    return before === undefined;
  }

  async #answer(request: string, signal: AbortSignal, connection: Connection, prefix = ""): Promise<string> {
    const { world, onDialog } = this.#options;
    const { random } = world;
    const dialog = onDialog({ client: this.name, request, connection, openedAt: world.now() });
    onAbort(signal, () => {
      dialog.closedAt ??= world.now();
    });
    await world.sleep(random.chance(0.2) ? random.int(5_000, 20_000) : random.int(0, 500)); // some users respond late
    const answer = prefix + (random.pick(userAnswers) ?? "");
    if (!signal.aborted) Object.assign(dialog, { closedAt: world.now(), answer });
    return answer;
  }

  /** Sends a request with a time limit, because the replica may have stopped. */
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

/** The members of the responses to new, load and resume that clients read. */
interface Opened extends WithSettings {
  readonly _meta: Meta;
}

/** The errors of prompts whose turns have ended. */
const endsTurn: ReadonlySet<string> = new Set(["error turn_interrupted", "error agent_failed"]);

interface Update {
  readonly sessionId: string;
  readonly update: WithSettings & { readonly sessionUpdate: string; readonly _meta?: Meta };
  readonly _meta?: Meta;
}

interface Meta {
  readonly [key: string]: string;
}

interface GatewayFailure {
  readonly name?: string;
  readonly code?: number;
  readonly data?: { readonly reason?: string };
}

/** The error codes for a method or params that the other side does not have. */
const refusals: ReadonlySet<number> = new Set([-32601, -32602]);

/** The error code for a session that does not exist. */
const UNKNOWN_SESSION = -32002;

function reasonOf(error: GatewayFailure): string {
  return error.code === UNKNOWN_SESSION ? "unknown_session" : (error.data?.reason ?? JSON.stringify(error));
}

/** The entry to which a cursor points. Real clients treat cursors as opaque, but the checks need the entry. */
export function entryAt(cursor: string): EntryPosition {
  const [seq = "", epoch = ""] = cursor.slice(1).split(".");
  return { seq: Number.parseInt(seq, 36), epoch: Number.parseInt(epoch, 36) };
}
