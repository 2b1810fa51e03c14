import {
  isRpcError,
  type SessionHandle,
  type ToolCallChange,
  type ToolCallHandle,
  type ToolCallInit,
  type Turn,
} from "@acp-kit/agent";
import type { Implementation } from "@acp-kit/types";
import type { EverythingCommand } from "./command.js";
import type { LiveSession } from "./live-session.js";
import { pause } from "./pause.js";

/** The values for a new {@link Scene}, in addition to its turn and arguments. */
export interface Stage {
  readonly session: LiveSession;
  readonly clientInfo: Implementation | undefined;
  /** The client's instructions for the session. */
  readonly systemPrompt: SessionHandle["systemPrompt"];
  readonly commands: readonly EverythingCommand[];
  readonly paceMs: number;
  /** Runs `action` after the response of the turn. */
  readonly afterwards: (action: (session: SessionHandle) => void) => void;
}

/** The change with which a tool call is completed, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a tool that has already failed just returns
type ToolEnd = ToolCallChange | void;

/**
 * The turn in which a command runs.
 *
 * Ids are consecutive numbers, not random, so that the same prompts in the same order cause the same updates.
 */
export class Scene {
  readonly turn: Turn;
  /** The text after the command's name. */
  readonly args: string;
  readonly session: LiveSession;
  readonly clientInfo: Implementation | undefined;
  /** The client's instructions for the session. */
  readonly systemPrompt: SessionHandle["systemPrompt"];
  readonly commands: readonly EverythingCommand[];
  readonly paceMs: number;
  /** Runs `action` after the response of the turn. */
  readonly afterwards: Stage["afterwards"];
  #messages = 0;
  #calls = 0;

  constructor(turn: Turn, args: string, stage: Stage) {
    this.turn = turn;
    this.args = args;
    this.session = stage.session;
    this.clientInfo = stage.clientInfo;
    this.systemPrompt = stage.systemPrompt;
    this.commands = stage.commands;
    this.paceMs = stage.paceMs;
    this.afterwards = stage.afterwards;
  }

  /** Returns a new message id. Chunks with the same id are one message. */
  messageId(): string {
    this.#messages += 1;
    return `message_${this.session.turns}_${this.#messages}`;
  }

  callId(): string {
    this.#calls += 1;
    return `call_${this.session.turns}_${this.#calls}`;
  }

  /** Sends a text as a separate message. */
  sendText(text: string): Promise<void> | undefined {
    const { loud } = this.session.settings;
    return this.turn.message(loud ? text.toUpperCase() : text, { messageId: this.messageId() });
  }

  /** Waits one step, or the given time. Rejects when the turn is cancelled. */
  async step(ms: number = this.paceMs): Promise<void> {
    await pause(ms, this.turn.signal);
  }

  /**
   * Runs a tool call from its announcement to its end. If the client responds with an error, the call fails with a
   * message. If the turn is cancelled, this method throws the error of `run`, and the call is marked as failed when the
   * turn ends.
   *
   * @returns whether the call was completed.
   */
  async tool(init: ToolCallInit, run: (call: ToolCallHandle) => ToolEnd | Promise<ToolEnd>): Promise<boolean> {
    const call = this.turn.toolCall({ toolCallId: this.callId(), ...init });
    try {
      const change = await run(call);
      if (!call.ended) await call.complete(change ?? {});
    } catch (error) {
      if (this.turn.signal.aborted || !isRpcError(error)) throw error;
      await call.fail(`The client responded with an error: ${error.message} (${error.code})`);
    }
    return call.status === "completed";
  }
}
