import {
  type AgentConnection,
  type PromptTurn,
  type RememberedDecisions,
  rememberDecisions,
  type Session,
  type SessionSetup,
  serverFolder,
  type Tap,
} from "@acp-kit/client";
import { redactingTap } from "@acp-kit/redact";
import { type WorkspaceTerminals, workspaceTerminals } from "@acp-kit/workspace";
import { isRemote, targetName } from "../agent-target.js";
import { detachedText } from "../detached-text.js";
import { errorText } from "../error-text.js";
import { ExitCode } from "../exit-code.js";
import { exitCodeOf } from "../exit-code-of.js";
import { hideInLines } from "../hide-secrets.js";
import type { Host } from "../host.js";
import type { Log } from "../log.js";
import { processLedger } from "../process-ledger.js";
import { applyChoice, openSession, type SessionChoice } from "../run/open-session.js";
import type { PermissionPolicy } from "../run/permission-policy.js";
import { wireLine } from "../wire-line.js";
import { type ChatAgent, type ChatAgentSource, chatAgentSource, startChatAgent } from "./agent/chat-agent.js";
import { chatHandlers } from "./agent/chat-handlers.js";
import { createTape, type Tape } from "./agent/tape.js";
import type { ChatParts, ChatRequest } from "./chat-request.js";
import { type ChatEvent, type ChatState, nextState, startingState } from "./chat-state.js";
import { canGoOn, comeBackText, lostText } from "./come-back.js";
import { completeIn, isOfAgent } from "./commands/complete-in.js";
import { chatCommands } from "./commands/index.js";
import { type Conversation, sessionOf } from "./conversation.js";
import type { Completion } from "./input/complete.js";
import type { HistoryFile } from "./input/history-file.js";
import type { SessionMemory } from "./session-memory.js";
import type { Canvas } from "./text/canvas.js";
import { cleanLine, cleanText } from "./text/clean.js";
import type { Paint } from "./text/paint.js";
import { Turns } from "./turns.js";
import type { ChatUi, ChatUser, ChatView } from "./ui/chat-ui.js";
import type { Advance } from "./view/scrollback.js";
import { SessionView } from "./view/session-view.js";

/** Runs a conversation: input goes to the agent or to a command, the agent's updates to the user interface. */
export class Chat implements Conversation, ChatUser, ChatView {
  readonly ui: ChatUi;
  readonly setup: SessionSetup;
  readonly cwd: string;
  readonly tape: Tape;
  readonly remembered: RememberedDecisions = rememberDecisions();
  policy: PermissionPolicy;
  readonly #request: ChatRequest;
  readonly #host: Host;
  readonly #log: Log;
  readonly #history: HistoryFile;
  readonly #source: ChatAgentSource;
  readonly #terminals: WorkspaceTerminals;
  readonly #stop = new AbortController();
  readonly #kill = new AbortController();
  #agent: ChatAgent | undefined;
  #session: Session | undefined;
  /** The turn of another client that is shown. */
  #joined: PromptTurn | undefined;
  #unfollow: () => void = () => {};
  /** Resolves when the agent runs and a session is open. Also resolves if no session could be opened. Never rejects. */
  readonly #ready: Promise<void>;
  #opened: () => void = () => {};
  readonly #shown: SessionView;
  readonly #since: number = Date.now();
  readonly #turns: Turns;
  readonly #sessions: SessionMemory;
  #state: ChatState = startingState;
  /** Whether a prompt was sent in the session. If so, the user may want to continue the session later. */
  #wasPrompted = false;
  #isClosed = false;
  #exitCode: ExitCode = ExitCode.ok;

  constructor(request: ChatRequest, { host, ui, log, history, sessions }: ChatParts) {
    this.#ready = new Promise((resolve) => {
      this.#opened = resolve;
    });
    this.#request = request;
    this.#host = host;
    this.#log = log;
    this.#history = history;
    this.#sessions = sessions;
    this.ui = ui;
    this.setup = request.setup;
    this.cwd = request.cwd;
    this.policy = request.permissions;
    this.tape = createTape(host.redactor);
    this.#shown = new SessionView(request.setup.cwd, () => ui.changed());
    const { cwd } = request;
    host.redactor?.learn(request.setup);
    const hide = hideInLines(host);
    this.#source = chatAgentSource(request.agent, host, {
      cwd,
      log,
      onStderr: (line) => {
        this.tape.recorder.stderr(line);
        log.debug(`agent: ${hide(line)}`);
      },
      onDetachedProcesses: (processes) => {
        const text = detachedText(processes);
        if (this.#isClosed) host.stderr.line(text);
        else log.warn(text);
      },
    });
    this.#turns = new Turns({
      cwd,
      timeoutMs: request.timeoutMs,
      log,
      offers: (capability) => this.agent.offers(capability),
      ended: ({ session, isJoined }, lines, code) => {
        ui.print(...this.#shown.finish(session, ui.canvas));
        if (ui.isInteractive || code !== ExitCode.ok) ui.print(...lines);
        if (!isJoined) this.#failed(code);
      },
      failed: ({ session, isJoined }, error) => {
        ui.print(...this.#shown.finish(session, ui.canvas));
        if (!isJoined) this.#failed(exitCodeOf(error));
        // A server starts its agent again, and the client connects to the server again: the next prompt continues the
        // session.
        if (exitCodeOf(error) === ExitCode.agentFailed && !isRemote(request.agent)) this.#pass({ type: "agent_lost" });
        this.#tell(error);
        if (this.#state.kind === "lost") log.warn(lostText(this.#agent?.connection, this.#session));
      },
      unsent: (text) => ui.restore?.(text),
      timedOut: () => this.#failed(ExitCode.timeout),
      began: (at) => this.#pass({ type: "turn_began", at }),
      over: () => this.#pass({ type: "turn_ended" }),
      paint: this.paint,
    });
    const ledger = processLedger(host);
    this.#terminals = workspaceTerminals({
      roots: [cwd],
      ...(ledger && { ledger }),
      onOutput: ({ sessionId, terminalId }, data) =>
        this.#agent?.connection.session(sessionId)?.transcript.apply({ type: "terminal", terminalId, data }),
    });
  }

  get paint(): Paint {
    return this.ui.canvas.paint;
  }

  get agent(): AgentConnection {
    if (this.#agent === undefined) throw new Error("The agent is not started yet");
    return this.#agent.connection;
  }

  get session(): Session | undefined {
    return this.#session;
  }

  get isLost(): boolean {
    return this.#state.kind === "lost";
  }

  /**
   * Runs the conversation from the start of the agent to its end.
   *
   * @throws the error that prevented the agent's start.
   */
  async run(): Promise<ExitCode> {
    try {
      // In a terminal, the user may type, or quit, while the agent starts.
      const conversation = this.ui.isInteractive ? this.ui.run(this, this) : undefined;
      await this.#start();
      const opening = this.#openFirst();
      if (conversation === undefined) await opening;
      void opening.catch((error: unknown) => this.#tell(error)).then(() => this.#opened());
      if (!this.#stop.signal.aborted) await (conversation ?? this.ui.run(this, this));
      return this.#exitCode;
    } catch (error) {
      if (this.#stop.signal.aborted) return ExitCode.cancelled; // the user quit before the agent had started
      throw error;
    } finally {
      this.#opened();
      this.#unfollow();
      this.#shown.close();
      this.#sayHowToComeBack();
      this.ui.close();
      this.#isClosed = true;
      await this.#agent?.close();
      await this.#terminals.close();
    }
  }

  async #start(): Promise<void> {
    this.#agent = await startChatAgent(this.#source, {
      cwd: this.cwd,
      proxies: this.#request.proxies,
      log: this.#log,
      tap: this.#tap(),
      stop: this.#stop.signal,
      kill: this.#kill.signal,
      protocol: this.#request.protocol,
      connect: chatHandlers({
        ...this.#request,
        ui: this.ui,
        cwd: this.cwd,
        env: this.#host.env,
        remembered: this.remembered,
        terminals: this.#terminals,
        policy: () => this.policy,
        agentName: () => this.#agent?.connection.info?.name,
        setVariables: (variables) => this.#source.setVariables(variables),
      }),
    });
    this.#pass({ type: "started" });
    this.#greet();
  }

  #tap(): Tap {
    const { redactor } = this.#host;
    const seen: Tap = (event) => {
      this.tape.recorder(event);
      if (this.#log.level === "debug") this.#log.debug(wireLine(event, 0) ?? String(event.message));
    };
    return redactor === undefined ? seen : redactingTap(seen, redactor);
  }

  async #openFirst(): Promise<void> {
    const { sessionId, mode, model, defaults } = this.#request;
    const choice: SessionChoice = { setup: this.setup, sessionId, mode, model, defaults };
    const options = { onUpdate: () => {}, signal: this.#stop.signal };
    await this.open(() => openSession(this.agent, choice, { ...options, showsHistory: true }));
    await this.#chosen(choice);
  }

  async #chosen(choice: SessionChoice): Promise<void> {
    if (this.#session !== undefined)
      await applyChoice(this.#session, choice, (text) => this.#log.warn(cleanLine(text)));
  }

  #greet(): void {
    const { info } = this.agent;
    const name =
      info === undefined ? targetName(this.#request.agent) : `${info.title ?? info.name} ${info.version ?? ""}`;
    const { bold, dim } = this.paint;
    const place = this.setup.cwd === serverFolder ? "in the folder of the server" : `in ${this.setup.cwd}`;
    this.ui.print(`${bold(cleanLine(name))} ${dim(place)}`);
  }

  // ── sessions ───────────────────────────────────────────────────────────────────────────────────────────────────────

  async open(open: () => Promise<Session>): Promise<void> {
    if (this.#session?.turn?.isJoined !== true) this.cancel(); // the turn of another client continues
    const before = this.#session;
    const session = await open();
    if (before !== undefined && before !== session) await before.close().catch((error: unknown) => this.#tell(error));
    this.#session = session;
    this.#wasPrompted = session.origin !== "new";
    this.#pass({ type: "session_opened" });
    if (session.origin !== "new" || before !== undefined)
      this.ui.print(this.paint.dim(`Session ${cleanLine(session.sessionId)}: ${session.origin}`));
    this.#shown.follow(session);
    this.#unfollow();
    const join = (): void => {
      const { turn } = session;
      if (turn?.isJoined !== true || turn === this.#joined) return;
      this.#joined = turn;
      void this.#turns.follow(turn);
    };
    this.#unfollow = session.onQueueChange(join);
    join();
  }

  // ── drawing ────────────────────────────────────────────────────────────────────────────────────────────────────────

  advance(canvas: Canvas, spinner: string): Advance {
    return this.#shown.advance(canvas, spinner);
  }

  plan(canvas: Canvas): readonly string[] {
    return this.#shown.plan(canvas);
  }

  get busy(): ChatView["busy"] {
    const { agent } = this.#request;
    if (this.#agent === undefined) {
      return { label: `${isRemote(agent) ? "Connecting to" : "Starting"} ${targetName(agent)}`, since: this.#since };
    }
    const state = this.#state;
    if (state.kind !== "running" && state.kind !== "cancelling") return undefined;
    return { label: state.kind === "cancelling" ? "Cancelling" : "Working", since: state.since };
  }

  get queued(): readonly string[] {
    return this.#shown.queued;
  }

  status(): string {
    return this.#shown.status(this.paint);
  }

  // ── user input ────────────────────────────────────────────────────────────────────────────────────────────────────

  async entered(text: string): Promise<void> {
    this.#pass({ type: "entered" });
    const trimmed = text.trim();
    if (trimmed === "") return;
    this.#history.add(text);
    try {
      const [, name = "", words = ""] = /^\/([^\s/]+)(?:\s+([\s\S]*))?$/.exec(trimmed) ?? [];
      const command = chatCommands.find((each) => each.name === name);
      if (name === "quit") return this.leave();
      await this.#ready;
      if (this.#stop.signal.aborted) return;
      if (command !== undefined) {
        this.ui.print("", this.paint.cyan(`› ${cleanText(trimmed)}`));
        await command.run(this, words.trim());
      } else if (name !== "" && !isOfAgent(this, name)) {
        throw new Error(
          `There is no command /${cleanLine(name)}. /help lists the commands; //${cleanLine(name)} sends it to the agent.`,
        );
      } else await this.#prompt(trimmed.startsWith("//") ? trimmed.slice(1) : trimmed);
    } catch (error) {
      this.#tell(error);
    }
  }

  /** Sends a prompt, if the agent runs. @throws {Error} whose message says what the user can do. */
  async #prompt(text: string): Promise<void> {
    const session = sessionOf(this);
    if (this.#state.kind === "lost") {
      this.ui.restore?.(text);
      throw new Error(lostText(this.#agent?.connection, this.#session));
    }
    this.#wasPrompted = true;
    await this.#turns.prompt(session, text);
  }

  #sayHowToComeBack(): void {
    const session = this.#session;
    if (session === undefined || !this.#wasPrompted || !canGoOn(this.#agent?.connection)) return;
    const { agent } = this.#request;
    this.#sessions.remember(agent, this.cwd, session.sessionId);
    if (!this.ui.isInteractive) return;
    const text = cleanText(comeBackText(session.sessionId, agent, this.#host));
    this.ui.print("", ...text.split("\n").map(this.paint.dim));
  }

  interrupted(): void {
    const wasRunning = this.cancel();
    this.#pass({ type: "interrupted" });
    if (this.#state.kind === "left") {
      this.leave();
      return;
    }
    const what = wasRunning ? "Cancelling the turn. Ctrl-C again quits the chat." : "Ctrl-C again quits the chat.";
    if (this.ui.hint === undefined) this.#log.warn(what);
    else this.ui.hint(what);
  }

  escaped(): void {
    if (this.cancel()) this.ui.hint?.("Cancelling");
  }

  ended(): void {
    this.leave();
  }

  leave(): void {
    this.#pass({ type: "left" });
    if (!this.#stop.signal.aborted) this.#stop.abort(new Error("The user has quit the chat"));
    this.ui.leave();
  }

  /** Quits without waiting for the agent. */
  kill(): void {
    this.#exitCode = ExitCode.cancelled;
    this.leave();
    this.#kill.abort();
  }

  cancel(): boolean {
    if (this.#state.kind !== "running" && this.#state.kind !== "cancelling") return false;
    this.#pass({ type: "cancelled" });
    const queued = this.#turns.takeBack();
    this.#session?.cancel();
    if (queued.length > 0 && this.ui.restore !== undefined) {
      this.ui.restore(queued.join("\n"));
      const what = queued.length === 1 ? "The queued prompt is" : `The ${queued.length} queued prompts are`;
      this.ui.print(this.paint.dim(`${what} in the input again.`));
    }
    return true;
  }

  complete(text: string, cursor: number): Completion | undefined {
    return this.#agent && completeIn(this, text, cursor);
  }

  #pass(event: ChatEvent): void {
    this.#state = nextState(this.#state, event);
    this.ui.changed();
  }

  // ── results ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Sets the exit code for an error. In a terminal, the exit code stays 0, because the user has seen the error. */
  #failed(code: ExitCode): void {
    if (this.ui.isInteractive || this.#stop.signal.aborted || code === ExitCode.ok) return;
    const isTimeout = this.#exitCode === ExitCode.timeout && code === ExitCode.cancelled;
    if (!isTimeout) this.#exitCode = code;
  }

  #tell(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    this.#shown.interrupted();
    this.#log.error(cleanText(errorText(error)));
  }
}
