import { RpcError, type Transport } from "@acp-kit/jsonrpc";
import { checkOptions } from "@acp-kit/jsonrpc/internal";
import type { V2AgentCalls } from "@acp-kit/protocol/v2";
import type { BackgroundWork, InitializeResponse, SessionUpdate } from "@acp-kit/types/v2";
import { type Clock, systemClock } from "../clock.js";
import type { RawTransport } from "../raw-transport.js";
import { Choices } from "../script/choices.js";
import type { PlayedScript } from "../script/play.js";
import { playInMemory, playScript } from "../script/play-script.js";
import { Reactions } from "../script/reactions.js";
import { type Script, type ScriptOptions, scriptOptionKinds } from "../script/script.js";
import type { IncomingMessage, ScriptedPeer } from "../script/scripted-peer.js";
import type { V2PlayWork, V2ScriptedAgent } from "./script-work.js";
import { Sessions, type Update } from "./sessions.js";

/**
 * Describes the behaviour of a scripted agent of version 2. By default the agent responds to `initialize` (version 2,
 * with sessions), opens, lists, resumes and closes sessions, inserts every prompt and ends its work with `end_turn`, or
 * with `cancelled` after a cancel, and refuses all other requests. `session/resume` replays what the script has sent,
 * and sends the state of the session.
 */
export interface V2AgentScript extends Script<V2AgentCalls, V2ScriptedAgent> {
  readonly side: "agent";
  /** Overrides members of the response to `initialize`: `capabilities`, `authMethods`, `protocolVersion`. */
  initialize(answer: Partial<InitializeResponse>): this;
  /** Adds a saved session, which `session/resume` opens, and the updates that it replays. */
  savedSession(sessionId: string, history: readonly SessionUpdate[]): this;
  /** Does the work for prompts whose text matches; if several handlers match, the first is used. */
  onPrompt(text: string | RegExp, play: V2PlayWork): this;
  /** Does the work for prompts for which no other handler matches. */
  onPrompt(play: V2PlayWork): this;
}

/** Creates the script of an agent of version 2. */
export function v2AgentScript(options: ScriptOptions = {}): V2AgentScript {
  checkOptions("v2AgentScript", options, scriptOptionKinds);
  return new Agent(options);
}

const UNSUPPORTED_VERSION = -32022;

class Agent implements V2AgentScript {
  readonly side = "agent";
  readonly #clock: Clock;
  readonly #reactions = new Reactions<V2ScriptedAgent>();
  readonly #prompts = new Choices<V2PlayWork>(() => {});
  readonly #saved = new Map<string, readonly Update[]>();
  #initialize: Partial<InitializeResponse> = {};

  constructor({ clock = systemClock }: ScriptOptions) {
    this.#clock = clock;
  }

  initialize(answer: Partial<InitializeResponse>): this {
    this.#initialize = { ...this.#initialize, ...answer };
    return this;
  }

  savedSession(sessionId: string, history: readonly SessionUpdate[]): this {
    this.#saved.set(sessionId, history);
    return this;
  }

  on(method: string, answer: unknown): this {
    this.#reactions.set(method, answer);
    return this;
  }

  onPrompt(...prompt: [V2PlayWork] | [string | RegExp, V2PlayWork]): this {
    this.#prompts.add(...prompt);
    return this;
  }

  connect(transport: Transport): V2ScriptedAgent {
    const sessions = new Sessions(this.#prompts.of, this.#saved, this.#clock, () => ({
      agent,
      played: agent as unknown as PlayedScript, // `playScript` adds the members of the agent to the running script
    }));
    const usual = {
      initialize: ({ params }: IncomingMessage): object => {
        const { protocolVersion: requested } = (params ?? {}) as { readonly protocolVersion?: number };
        if (requested !== undefined && requested < 2)
          throw new RpcError(UNSUPPORTED_VERSION, `The script does not support version ${requested}`, {
            data: { requested, supported: [2] },
          });
        return {
          protocolVersion: 2,
          info: { name: "script", version: "1.0.0" },
          capabilities: { session: {} },
          ...this.#initialize,
        };
      },
      ...sessions.usual,
    };
    const agent: V2ScriptedAgent = playScript(transport, {
      side: this.side,
      clock: this.#clock,
      reactions: this.#reactions,
      usual,
      peer: (played) =>
        Object.assign(played as ScriptedPeer<V2AgentCalls>, {
          work: (sessionId: string, play: V2PlayWork) => sessions.start(sessionId, play),
          background: (sessionId: string, work: readonly BackgroundWork[]) => sessions.setBackground(sessionId, work),
        }),
    });
    return agent;
  }

  inMemory(): V2ScriptedAgent & { readonly transport: RawTransport } {
    return playInMemory(this);
  }
}
