import type { V1AgentCalls } from "@acp-kit/protocol";
import type { InitializeResponse, PromptResponse, StopReason } from "@acp-kit/schema";
import type { Later, Script } from "./script.js";
import type { ScriptTurn } from "./script-turn.js";
import type { NoAnswer, ScriptedPeer } from "./scripted-peer.js";

/** An agent that a script plays. */
export type ScriptedAgent = ScriptedPeer<V1AgentCalls>;

/**
 * An agent as a script. Without a word it answers `initialize` (version 1, no capabilities) and `session/new` (`session-1`, `session-2`, …), ends
 * every prompt with `end_turn`, or with `cancelled` when it was cancelled, and refuses the rest.
 */
export interface AgentScript extends Script<V1AgentCalls, ScriptedAgent> {
  /** Members of the answer to `initialize`, over the usual ones: `agentCapabilities`, `authMethods`, `protocolVersion`. */
  initialize(answer: Partial<InitializeResponse>): this;
  /** What is done with a prompt whose text matches; the first that matches wins. */
  onPrompt(text: string | RegExp, play: PlayTurn): this;
  /** What is done with any prompt that no other matches. */
  onPrompt(play: PlayTurn): this;
}

/**
 * Plays a turn. It may return how the turn ends; nothing is `end_turn`, or `cancelled` after a cancel; `noAnswer` is none. What it throws refuses the
 * prompt: an `RpcError` as it is, everything else as `-32603`, and then closing the agent throws it, too.
 */
export type PlayTurn = (turn: ScriptTurn) => Later<TurnEnd>;

/** How a turn ends: a stop reason, a whole result, or no answer. */
export type TurnEnd = StopReason | PromptResponse | NoAnswer;
