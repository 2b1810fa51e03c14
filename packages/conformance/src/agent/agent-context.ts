import { DialogueLog } from "../dialogue.js";
import type { Pace } from "../pace.js";
import type { ScenarioContext } from "../scenario.js";
import type { PeerProcess } from "../wire/peer-process.js";
import { isObject, type Json, member, shown, textOf } from "../wire/values.js";
import type { AgentFacts } from "./agent-facts.js";
import type { Incoming, RecordedResponse, SentRequest } from "./agent-messages.js";
import { type AgentTestOptions, agentTimes } from "./agent-options.js";
import { AgentPeer } from "./agent-peer.js";
import { type ClientBehaviour, clientSide, everyCapability } from "./client-side.js";
import { loginNeeded, noModel, noSession } from "./obstacles.js";
import { type PromptPurpose, promptPurposes } from "./prompt-purposes.js";
import { NoComparableResponse } from "./silence.js";
import type { TestFiles } from "./test-files.js";

/** An initialized agent. */
export interface ReadyAgent {
  readonly peer: AgentPeer;
  /** The result of `initialize`. */
  readonly initialized: Json;
  readonly capabilities: Json;
}

/** A running turn. */
export interface OpenTurn {
  /** The `session/prompt` request that started the turn. */
  readonly prompt: SentRequest;
  readonly sessionId: string;
}

/** A session of the agent under test. */
export interface TestSession {
  readonly peer: AgentPeer;
  readonly id: string;
  /** The result of the request that opened the session. */
  readonly result: Json;
}

/** The dependencies of one run of a scenario. */
export interface AgentContextParts {
  readonly options: AgentTestOptions;
  readonly files: TestFiles;
  /** Starts a fresh process of the agent. */
  readonly spawn: () => Promise<PeerProcess>;
  readonly reporting: ScenarioContext;
  readonly facts: AgentFacts;
  readonly pace: Pace;
}

/** The context of an agent scenario: starts fresh processes, and has a method for each common step. */
export class AgentContext implements ScenarioContext {
  readonly options: Required<Pick<AgentTestOptions, keyof typeof agentTimes>> & AgentTestOptions;
  readonly files: TestFiles;
  readonly facts: AgentFacts;
  readonly dialogues: DialogueLog[] = [];
  readonly note: ScenarioContext["note"];
  readonly fail: ScenarioContext["fail"];
  readonly expect: ScenarioContext["expect"];
  readonly skip: ScenarioContext["skip"];
  readonly inconclusive: ScenarioContext["inconclusive"];
  readonly #pace: Pace;
  readonly #spawn: () => Promise<PeerProcess>;
  readonly #peers: AgentPeer[] = [];
  /**
   * The connections on which a session was opened. If a second session on one of them fails, the scenario is skipped,
   * because the specification lets an agent refuse it.
   */
  readonly #withSession = new WeakSet<AgentPeer>();

  constructor({ options, files, spawn, reporting, facts, pace }: AgentContextParts) {
    this.options = { ...agentTimes, ...options };
    this.files = files;
    this.facts = facts;
    this.#spawn = spawn;
    this.note = reporting.note;
    this.fail = reporting.fail;
    this.expect = reporting.expect;
    this.skip = reporting.skip;
    this.inconclusive = reporting.inconclusive;
    this.#pace = pace;
  }

  /** Starts a fresh process and sends nothing to it. */
  async start(manners: ClientBehaviour = {}): Promise<AgentPeer> {
    const log = new DialogueLog(`connection ${this.dialogues.length + 1}`);
    this.dialogues.push(log);
    log.event("the agent is started");
    const peer = new AgentPeer(await this.#spawn(), log, {
      limits: this.options,
      pace: this.#pace,
      folder: this.files.cwd,
    });
    peer.clientSide = clientSide(this.files, manners);
    this.#peers.push(peer);
    return peer;
  }

  /**
   * Sends `initialize` on a connection. If it fails, and the plain `initialize` before all scenarios failed too, this
   * scenario is inconclusive.
   *
   * @throws {Failure} [INIT-05] if it fails, but the plain `initialize` succeeded.
   */
  async initialize(peer: AgentPeer, clientCapabilities: Json | undefined = everyCapability): Promise<ReadyAgent> {
    const { initializeMeta } = this.options;
    const response = await peer.request("initialize", {
      protocolVersion: 1,
      ...(clientCapabilities !== undefined && { clientCapabilities }),
      clientInfo: { name: "acp-kit-conformance", version: "1.0.0" },
      ...(initializeMeta && { _meta: initializeMeta }),
    });
    if (!isObject(response.result)) {
      if (!this.facts.initializes) this.inconclusive("initialize fails, which the report shows as a separate finding");
      this.fail("INIT-05", { sent: "initialize with protocolVersion 1", received: response });
    }
    const { agentCapabilities } = response.result;
    return { peer, initialized: response.result, capabilities: isObject(agentCapabilities) ? agentCapabilities : {} };
  }

  /** Starts a fresh process, initializes it, and logs in if the options name a login. */
  async ready(
    manners: ClientBehaviour = {},
    clientCapabilities: Json | undefined = everyCapability,
  ): Promise<ReadyAgent> {
    const agent = await this.initialize(await this.start(manners), clientCapabilities);
    await this.logIn(agent.peer);
    return agent;
  }

  /** Sends `authenticate`, if the options name a method. */
  async logIn(peer: AgentPeer): Promise<void> {
    const { authMethod } = this.options;
    if (authMethod === undefined) return;
    const response = await peer.request(
      "authenticate",
      { methodId: authMethod },
      { timeoutMs: this.options.turnTimeoutMs },
    );
    if (response.error) this.inconclusive(`authenticate with ${authMethod} failed: ${shown(response.error)}`);
  }

  /**
   * Sends `session/new`. The scenario is inconclusive if a login is missing, or if the agent never opens a session.
   *
   * @throws {Failure} [INIT-18] if it fails for another reason.
   */
  async newSession(peer: AgentPeer, params: Json = {}): Promise<TestSession> {
    const all = { cwd: this.files.cwd, mcpServers: [], ...params };
    const response = await peer.request("session/new", all);
    return this.sessionOf(peer, "session/new", all, response);
  }

  /** Returns the session that `session/new` opened. */
  sessionOf(peer: AgentPeer, method: string, params: Json, response: RecordedResponse): TestSession {
    if (response.error?.code === -32000) {
      this.inconclusive(loginNeeded);
    }
    const id = member(response.result, "sessionId");
    if (!isObject(response.result) || typeof id !== "string") {
      if (response.error && !this.facts.opensSessions) {
        this.inconclusive(noSession(response.error));
      }
      if (response.error && this.#withSession.has(peer)) {
        this.skip(`The agent opens no second session on a connection: ${shown(response.error)}`);
      }
      this.fail(response.error ? "INIT-18" : "SESS-03", {
        sent: `${method} with ${shown(params)}`,
        received: response,
        explanation: response.error
          ? "Every agent opens sessions. These params are correct, and the agent accepted equivalent ones before."
          : "The result of session/new contains a sessionId, a string.",
        ...(response.error && {
          remedy: "Open a session for all valid params. Only malformed params and a missing login are errors.",
        }),
      });
    }
    this.#withSession.add(peer);
    return { peer, id, result: response.result };
  }

  /** Starts a fresh process and opens a session. */
  async openSession(
    manners: ClientBehaviour = {},
    clientCapabilities: Json | undefined = everyCapability,
  ): Promise<TestSession & ReadyAgent> {
    const agent = await this.ready(manners, clientCapabilities);
    return { ...agent, ...(await this.newSession(agent.peer)) };
  }

  /** Returns the prompt text for a purpose. Skips the scenario if there is none. */
  text(purpose: PromptPurpose, values: { readonly path?: string } = {}): string {
    const text = this.options.prompts[purpose];
    if (text === undefined) {
      this.skip(
        `no prompt is known with which this agent ${promptPurposes[purpose]}; give one with --prompt ${purpose}=…`,
      );
    }
    return text.replace(/\{(path|cwd)\}/g, (_, name) => (name === "cwd" ? this.files.cwd : (values.path ?? "")));
  }

  /** Sends a prompt and does not wait for the response. */
  prompt(session: TestSession, prompt: string | readonly Json[]): OpenTurn {
    const blocks = typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
    const request = session.peer.sendRequest("session/prompt", { sessionId: session.id, prompt: blocks });
    return { prompt: request, sessionId: session.id };
  }

  /** Returns the response that ends a turn. @throws {Failure} [PROMPT-07] if the turn doesn't end. */
  endOf(
    session: TestSession,
    turn: OpenTurn,
    timeoutMs: number = this.options.turnTimeoutMs,
  ): Promise<RecordedResponse> {
    return session.peer.responseTo(turn.prompt, timeoutMs, "PROMPT-07");
  }

  /**
   * Returns the response to the request that a scenario tests. If it does not arrive and no comparable request has had
   * a response, runs `control` to learn how long a response takes: the same exchange in a fresh process, without the
   * part that the scenario tests.
   *
   * @throws {Failure} [`requirement`, RPC-04 by default] if the response is missing.
   */
  async responseOrControl(
    { peer }: Pick<TestSession, "peer">,
    request: SentRequest,
    { requirement = "RPC-04", limitMs = this.options.turnTimeoutMs }: { requirement?: string; limitMs?: number },
    control: () => Promise<unknown>,
  ): Promise<RecordedResponse> {
    try {
      return await peer.responseTo(request, limitMs, requirement);
    } catch (error) {
      if (!(error instanceof NoComparableResponse)) throw error;
      await control();
      throw request.response ? error : peer.silence(request, requirement);
    }
  }

  /**
   * Runs a complete turn that a scenario depends on. If the turn fails, the scenario is inconclusive, because a failed
   * turn breaks no rule.
   *
   * @throws {Failure} if the turn doesn't end.
   */
  async turn(session: TestSession, prompt: string | readonly Json[]): Promise<string> {
    const turn = this.prompt(session, prompt);
    return this.stopReason(session, turn, await this.endOf(session, turn));
  }

  /**
   * Returns the stop reason of a response. The scenario is inconclusive if the response is an error.
   *
   * @throws {Failure} [PROMPT-07] if the response has neither an error nor a stop reason.
   */
  stopReason(session: TestSession, turn: OpenTurn, response: RecordedResponse): string {
    if (response.error) this.inconclusive(`a turn that this scenario depends on failed: ${shown(response.error)}`);
    const stopReason = textOf(member(response.result, "stopReason"));
    if (stopReason === undefined) {
      this.fail("PROMPT-07", {
        sent: "session/prompt",
        received: shown(response.result),
        where: session.peer.at(turn.prompt.seq, response.seq),
      });
    }
    return stopReason;
  }

  /**
   * Runs a turn of plain text and returns its response. The scenario is inconclusive if the turn fails, because the
   * agent may have no model.
   *
   * @throws {Failure} if the turn doesn't end.
   */
  async plainTurn(session: TestSession): Promise<{ readonly turn: OpenTurn; readonly response: RecordedResponse }> {
    const turn = this.prompt(session, this.text("text"));
    const response = await this.endOf(session, turn);
    if (response.error) this.inconclusive(`${noModel}: ${shown(response.error)}`);
    return { turn, response };
  }

  /** Returns the first update of the session for which `wanted` is true, or `undefined` if the turn ends first. */
  async updateOf(
    session: TestSession,
    turn: OpenTurn,
    wanted: (update: Json) => boolean,
  ): Promise<Incoming | undefined> {
    const found = await session.peer.next(
      (message) =>
        isResponseTo(message, turn.prompt.id) ||
        (message.method === "session/update" &&
          member(message.params, "sessionId") === session.id &&
          wanted((member(message.params, "update") ?? {}) as Json)),
      { since: turn.prompt.seq, timeoutMs: this.options.turnTimeoutMs },
    );
    return found?.kind === "response" ? undefined : found;
  }

  /** Returns the first request with this method, or `undefined` if the turn ends first. */
  async requestIn(session: TestSession, turn: OpenTurn, method: string): Promise<Incoming | undefined> {
    const found = await session.peer.next(
      (message) => isResponseTo(message, turn.prompt.id) || (message.kind === "request" && message.method === method),
      { since: turn.prompt.seq, timeoutMs: this.options.turnTimeoutMs },
    );
    return found?.kind === "response" ? undefined : found;
  }

  /** Returns the updates of a session from the dialogue entry with the number `since` on. */
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

function isResponseTo(message: Incoming, id: unknown): boolean {
  return message.kind === "response" && typeof message.message.id === typeof id && message.message.id === id;
}
