import { DialogueLog } from "../dialogue.js";
import type { Telling } from "../runner/run-options.js";
import type { ScenarioContext } from "../scenario.js";
import type { Finding } from "../verdict.js";
import type { PeerProcess } from "../wire/peer-process.js";
import { isObject, type Json, member, shown, textOf } from "../wire/values.js";
import { type AgentTestOptions, agentTimes } from "./agent-options.js";
import { AgentPeer, type Answer, type Asked, type Incoming } from "./agent-peer.js";
import { type ClientManners, clientSide, everyCapability } from "./client-side.js";
import { type PromptPurpose, promptPurposes } from "./prompt-purposes.js";
import type { TestFiles } from "./test-files.js";

/** What an agent said of itself. */
export interface ReadyAgent {
  readonly peer: AgentPeer;
  /** The result of `initialize`. */
  readonly initialized: Json;
  readonly capabilities: Json;
}

/** A turn that is going on. */
export interface OpenTurn {
  readonly asked: Asked;
  readonly sessionId: string;
}

/** A session of the agent under test. */
export interface TestSession {
  readonly peer: AgentPeer;
  readonly id: string;
  /** The result of what opened it. */
  readonly result: Json;
}

/** How a scenario of an agent does things: a fresh process each time, and words for what is done. */
export class AgentContext implements ScenarioContext {
  readonly options: Required<Pick<AgentTestOptions, "answerMs" | "turnMs" | "quietMs" | "exitMs">> & AgentTestOptions;
  readonly files: TestFiles;
  readonly dialogues: DialogueLog[] = [];
  readonly #telling: Telling;
  readonly #spawn: () => Promise<PeerProcess>;
  readonly #peers: AgentPeer[] = [];

  constructor(options: AgentTestOptions, files: TestFiles, spawn: () => Promise<PeerProcess>, telling: Telling) {
    this.options = { ...agentTimes, ...options };
    this.files = files;
    this.#spawn = spawn;
    this.#telling = telling;
  }

  note(finding: Finding): void {
    this.#telling.note(finding);
  }

  fail(finding: Finding): never {
    return this.#telling.fail(finding);
  }

  skip(reason: string): never {
    return this.#telling.skip(reason);
  }

  /** Starts a fresh process, to which nothing has been said yet. */
  async start(manners: ClientManners = {}): Promise<AgentPeer> {
    const log = new DialogueLog(`connection ${this.dialogues.length + 1}`);
    this.dialogues.push(log);
    log.event("the agent is started");
    const peer = new AgentPeer(await this.#spawn(), log, this.options.answerMs);
    peer.clientSide = clientSide(this.files, manners);
    this.#peers.push(peer);
    return peer;
  }

  /** `initialize` on a connection. @throws {Failure} [INIT-05] when it fails. */
  async initialize(peer: AgentPeer, clientCapabilities: Json | undefined = everyCapability): Promise<ReadyAgent> {
    const { initializeMeta } = this.options;
    const answer = await peer.request("initialize", {
      protocolVersion: 1,
      ...(clientCapabilities !== undefined && { clientCapabilities }),
      clientInfo: { name: "acp-kit-conformance", version: "1.0.0" },
      ...(initializeMeta && { _meta: initializeMeta }),
    });
    if (!isObject(answer.result)) {
      this.fail({
        requirement: "INIT-05",
        sent: "initialize with protocolVersion 1",
        received: answer.error ? `the error ${shown(answer.error)}` : shown(answer.result),
        explanation: "The agent answers with the chosen protocol version and its capabilities.",
        where: peer.at(answer.seq),
      });
    }
    const { agentCapabilities } = answer.result;
    return { peer, initialized: answer.result, capabilities: isObject(agentCapabilities) ? agentCapabilities : {} };
  }

  /** A fresh process that is initialized, and logged in if that was asked for. */
  async ready(
    manners: ClientManners = {},
    clientCapabilities: Json | undefined = everyCapability,
  ): Promise<ReadyAgent> {
    const agent = await this.initialize(await this.start(manners), clientCapabilities);
    await this.logIn(agent.peer);
    return agent;
  }

  /** `authenticate`, if a method was given. */
  async logIn(peer: AgentPeer): Promise<void> {
    const { authMethod } = this.options;
    if (authMethod === undefined) return;
    const answer = await peer.request("authenticate", { methodId: authMethod }, { timeoutMs: this.options.turnMs });
    if (answer.error) this.skip(`authenticate with ${authMethod} failed: ${shown(answer.error)}`);
  }

  /** `session/new`. Skips when the agent wants a login. @throws {Failure} [INIT-18] when it fails otherwise. */
  async newSession(peer: AgentPeer, params: Json = {}): Promise<TestSession> {
    const all = { cwd: this.files.cwd, mcpServers: [], ...params };
    const answer = await peer.request("session/new", all);
    return this.sessionOf(peer, "session/new", all, answer);
  }

  /** The session that `session/new` opened. */
  sessionOf(peer: AgentPeer, method: string, params: Json, answer: Answer): TestSession {
    if (answer.error?.code === -32000) {
      this.skip("the agent wants a login; give one of its methods with --auth-method");
    }
    const id = member(answer.result, "sessionId");
    if (!isObject(answer.result) || typeof id !== "string") {
      this.fail({
        requirement: answer.error ? "INIT-18" : "SESS-03",
        sent: `${method} with ${shown(params)}`,
        received: answer.error ? `the error ${shown(answer.error)}` : shown(answer.result),
        explanation: answer.error
          ? "Every agent opens sessions; there is nothing wrong with these params."
          : "The result of session/new contains a sessionId, a string.",
        where: peer.at(answer.seq),
      });
    }
    return { peer, id, result: answer.result };
  }

  /** A fresh process with a session. */
  async openSession(
    manners: ClientManners = {},
    clientCapabilities: Json | undefined = everyCapability,
  ): Promise<TestSession & ReadyAgent> {
    const agent = await this.ready(manners, clientCapabilities);
    return { ...agent, ...(await this.newSession(agent.peer)) };
  }

  /** The text for a purpose. Skips when there is none. */
  text(purpose: PromptPurpose, values: { readonly path?: string } = {}): string {
    const text = this.options.prompts[purpose];
    if (text === undefined) {
      this.skip(
        `no prompt is known with which this agent ${promptPurposes[purpose]}; give one with --prompt ${purpose}=…`,
      );
    }
    return text.replace(/\{(path|cwd)\}/g, (_, name) => (name === "cwd" ? this.files.cwd : (values.path ?? "")));
  }

  /** Sends a prompt and doesn't wait. */
  prompt(session: TestSession, prompt: string | readonly Json[]): OpenTurn {
    const blocks = typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
    const asked = session.peer.ask("session/prompt", { sessionId: session.id, prompt: blocks });
    return { asked, sessionId: session.id };
  }

  /** How a turn ended. @throws {Failure} [PROMPT-07] when it doesn't. */
  endOf(session: TestSession, turn: OpenTurn, timeoutMs: number = this.options.turnMs): Promise<Answer> {
    return session.peer.answerTo(turn.asked, timeoutMs, "PROMPT-07");
  }

  /** A whole turn, as the way to something else. Skips when it fails: that is an agent's right. @throws {Failure} when it doesn't end. */
  async turn(session: TestSession, prompt: string | readonly Json[]): Promise<string> {
    const turn = this.prompt(session, prompt);
    return this.stopReason(session, turn, await this.endOf(session, turn));
  }

  /** The stop reason of an answer. Skips when it is an error. @throws {Failure} [PROMPT-07] when it is neither. */
  stopReason(session: TestSession, turn: OpenTurn, answer: Answer): string {
    if (answer.error) this.skip(`a turn failed that this builds on: ${shown(answer.error)}`);
    const stopReason = textOf(member(answer.result, "stopReason"));
    if (stopReason === undefined) {
      this.fail({
        requirement: "PROMPT-07",
        sent: "session/prompt",
        received: shown(answer.result),
        explanation: "A turn that the agent has finished is answered with a stop reason.",
        where: session.peer.at(turn.asked.seq, answer.seq),
      });
    }
    return stopReason;
  }

  /** A turn of plain text that has to work, because nothing else can be tested without one. @throws {Failure} [INIT-18] when it fails. */
  async plainTurn(session: TestSession): Promise<{ readonly turn: OpenTurn; readonly answer: Answer }> {
    const turn = this.prompt(session, this.text("text"));
    const answer = await this.endOf(session, turn);
    if (answer.error) {
      this.fail({
        requirement: "INIT-18",
        sent: `the prompt ${shown(this.text("text"))}`,
        received: `the error ${shown(answer.error)}`,
        explanation:
          "session/prompt is part of what every agent does. If its model is out of reach, nothing can be tested; if it needs other words: --prompt text=…",
        where: session.peer.at(turn.asked.seq, answer.seq),
      });
    }
    return { turn, answer };
  }

  /** The first update of the session of which `wanted` is true, or nothing when the turn ends before. */
  async updateOf(
    session: TestSession,
    turn: OpenTurn,
    wanted: (update: Json) => boolean,
  ): Promise<Incoming | undefined> {
    const found = await session.peer.next(
      (message) =>
        isAnswer(message, turn.asked.id) ||
        (message.method === "session/update" &&
          member(message.params, "sessionId") === session.id &&
          wanted((member(message.params, "update") ?? {}) as Json)),
      { since: turn.asked.seq, timeoutMs: this.options.turnMs },
    );
    return found?.kind === "response" ? undefined : found;
  }

  /** The first request with this method, or nothing when the turn ends before. */
  async requestIn(session: TestSession, turn: OpenTurn, method: string): Promise<Incoming | undefined> {
    const found = await session.peer.next(
      (message) => isAnswer(message, turn.asked.id) || (message.kind === "request" && message.method === method),
      { since: turn.asked.seq, timeoutMs: this.options.turnMs },
    );
    return found?.kind === "response" ? undefined : found;
  }

  /** Updates of a session, from an entry on. */
  updates(session: TestSession, since = 0): readonly { readonly seq: number; readonly update: Json }[] {
    return session.peer.incoming.flatMap(({ seq, method, params }) => {
      const update = member(params, "update");
      const ours = seq >= since && method === "session/update" && member(params, "sessionId") === session.id;
      return ours && isObject(update) ? [{ seq, update }] : [];
    });
  }

  /** Ends every process. */
  async close(): Promise<void> {
    await Promise.all(this.#peers.map((peer) => peer.process.kill()));
  }
}

function isAnswer(message: Incoming, id: unknown): boolean {
  return message.kind === "response" && typeof message.message.id === typeof id && message.message.id === id;
}
