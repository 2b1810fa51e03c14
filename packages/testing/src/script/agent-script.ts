import type { Transport } from "@acp-kit/jsonrpc";
import { checkOptions } from "@acp-kit/jsonrpc/internal";
import type { V1AgentCalls } from "@acp-kit/protocol";
import type { InitializeResponse } from "@acp-kit/types";
import { type Clock, systemClock } from "../clock.js";
import { createIds } from "../ids.js";
import type { RawTransport } from "../raw-transport.js";
import { Choices } from "./choices.js";
import { playInMemory, playScript } from "./play-script.js";
import { Reactions } from "./reactions.js";
import { type Script, type ScriptOptions, scriptOptionKinds } from "./script.js";
import type { PlayTurn, ScriptedAgent } from "./script-turn.js";
import { Turns } from "./turns.js";

/**
 * Describes the behaviour of a scripted agent. By default the agent responds to `initialize` (version 1, no
 * capabilities) and `session/new` (`session-1`, `session-2`, …), ends every prompt with `end_turn`, or with `cancelled`
 * after a cancel, and refuses all other requests.
 */
export interface AgentScript extends Script<V1AgentCalls, ScriptedAgent> {
  readonly side: "agent";
  /** Overrides members of the response to `initialize`: `agentCapabilities`, `authMethods`, `protocolVersion`. */
  initialize(answer: Partial<InitializeResponse>): this;
  /** Handles prompts whose text matches; if several handlers match, the first is used. */
  onPrompt(text: string | RegExp, play: PlayTurn): this;
  /** Handles prompts for which no other handler matches. */
  onPrompt(play: PlayTurn): this;
}

/** Creates the script of an agent. */
export function agentScript(options: ScriptOptions = {}): AgentScript {
  checkOptions("agentScript", options, scriptOptionKinds);
  return new Agent(options);
}

class Agent implements AgentScript {
  readonly side = "agent";
  readonly #clock: Clock;
  readonly #reactions = new Reactions<ScriptedAgent>();
  readonly #prompts = new Choices<PlayTurn>(() => {});
  #initialize: Partial<InitializeResponse> = {};

  constructor({ clock = systemClock }: ScriptOptions) {
    this.#clock = clock;
  }

  initialize(answer: Partial<InitializeResponse>): this {
    this.#initialize = { ...this.#initialize, ...answer };
    return this;
  }

  on(method: string, answer: unknown): this {
    this.#reactions.set(method, answer);
    return this;
  }

  onPrompt(...prompt: [PlayTurn] | [string | RegExp, PlayTurn]): this {
    this.#prompts.add(...prompt);
    return this;
  }

  connect(transport: Transport): ScriptedAgent {
    const turns = new Turns(this.#prompts.of, this.#clock);
    const ids = createIds();
    const usual = {
      initialize: () => ({
        protocolVersion: 1,
        agentCapabilities: {},
        agentInfo: { name: "script", version: "1.0.0" },
        authMethods: [],
        ...this.#initialize,
      }),
      "session/new": () => ({ sessionId: ids("session") }),
      "session/prompt": turns.play,
      "session/cancel": turns.cancel,
    };
    const { side } = this;
    return playScript(transport, {
      side,
      clock: this.#clock,
      reactions: this.#reactions,
      usual,
      peer: (played) => played,
    });
  }

  inMemory(): ScriptedAgent & { readonly transport: RawTransport } {
    return playInMemory(this);
  }
}
