import { CapabilityError } from "@acp-kit/protocol";
import type {
  AvailableCommand,
  ContentBlock,
  Notice,
  PlanEntry,
  PromptResponse,
  SessionConfigOption,
  SessionInfoUpdate,
  SessionModeState,
  SessionUpdate,
  UsageUpdate,
} from "@acp-kit/types";
import type { AgentPeer } from "./agent-peer.js";
import { ClientHandle } from "./client-handle.js";
import { toBlock } from "./content.js";
import { type Form, type FormAnswer, type FormFields, type FormValues, readFormAnswer } from "./elicit.js";
import type { PermissionMemory } from "./permission-memory.js";
import { type PlanEntryInit, PlanHandle } from "./plan-handle.js";
import type { Sent } from "./sent.js";
import type { Outlet, SessionChannel } from "./session-channel.js";
import { TextStream, type TextStreamOptions } from "./text-stream.js";
import { ToolCallHandle, type ToolCallHost, type ToolCallInit } from "./tool-call-handle.js";
import type { Turn } from "./turn.js";
import type { PromptResult } from "./turn-policy.js";
import type { SystemPrompt } from "./unstable/system-prompt.js";
import { type VersionedSession, versionOf } from "./versioned-session.js";
import type { VersionedUpdate } from "./versioned-update.js";

/** Options of a message chunk. */
export interface ChunkOptions {
  /** The id of the message: chunks with the same id belong to one message. */
  readonly messageId?: string;
}

/** Options of a plan. */
export interface PlanOptions {
  /**
   * The id of a plan that a client of version 2 shows beside other plans. A client of version 1 shows only the plan
   * that was sent last. Without it, the plan is the one of the session.
   */
  readonly planId?: string;
}

/**
 * Sends updates of one session, and calls the client's methods for that session.
 *
 * Updates are sent in the order of the calls. A method returns a promise only while the client reads slowly. Await the
 * result of each method to send no faster than the client reads.
 *
 * @see https://agentclientprotocol.com/protocol/v1/prompt-turn
 */
export class SessionHandle {
  readonly sessionId: string;
  /** The methods of the client, for this session. */
  readonly client: ClientHandle;
  readonly #peer: AgentPeer;
  readonly #channel: SessionChannel;
  readonly #out: Outlet;

  /** @internal */
  constructor(peer: AgentPeer, channel: SessionChannel, signal?: AbortSignal, out: Outlet = channel) {
    this.#peer = peer;
    this.#channel = channel;
    this.#out = out;
    this.sessionId = channel.sessionId;
    this.client = new ClientHandle(peer, channel, signal);
  }

  /**
   * The instructions that the client gave when it opened the session, if the agent has the feature `acceptSystemPrompt`
   * of `@acp-kit/agent/unstable`.
   *
   * @experimental
   */
  get systemPrompt(): SystemPrompt | undefined {
    return this.#channel.settings.systemPrompt;
  }

  /** @internal The part of the session that belongs to a version after 1. */
  get version(): VersionedSession<Turn, ToolCallHandle> | undefined {
    // It gets only those of this package.
    return this.#channel.version as VersionedSession<Turn, ToolCallHandle> | undefined;
  }

  /** The available modes of the session and the current mode, as last sent to the client. */
  get modes(): SessionModeState | undefined {
    return this.#channel.settings.modes;
  }

  /**
   * The config options of the session with their values, as last sent to the client. They include boolean options even
   * if the client does not support those.
   */
  get options(): readonly SessionConfigOption[] {
    return this.#channel.settings.configOptions;
  }

  /** The user's choices of "always" in this session; see `turn.permit`. */
  get permissions(): PermissionMemory {
    return this.#channel.permissions;
  }

  /**
   * Sends any update that the schema of version 1 defines, and on connections of version 2 also the updates that only
   * version 2 has.
   */
  update(update: VersionedUpdate): Sent {
    return this.#out.send(update);
  }

  /** Sends a chunk of an agent message. */
  message(chunk: string | ContentBlock, options?: ChunkOptions): Sent {
    return this.#out.send({ sessionUpdate: "agent_message_chunk", content: toBlock(chunk), ...options });
  }

  /** Sends a chunk of the agent's thoughts. */
  thought(chunk: string | ContentBlock, options?: ChunkOptions): Sent {
    return this.#out.send({ sessionUpdate: "agent_thought_chunk", content: toBlock(chunk), ...options });
  }

  /**
   * Sends a chunk of a user message. Use it in `session/load`, to replay the history; don't send the current prompt
   * back to the client.
   */
  userMessage(chunk: string | ContentBlock, options?: ChunkOptions): Sent {
    return this.#out.send({ sessionUpdate: "user_message_chunk", content: toBlock(chunk), ...options });
  }

  /** Creates a stream that sends one message piece by piece. */
  messageStream(options: TextStreamOptions = {}): TextStream {
    return new TextStream("agent_message_chunk", this.#out, options);
  }

  /** Creates a stream that sends one thought piece by piece. */
  thoughtStream(options: TextStreamOptions = {}): TextStream {
    return new TextStream("agent_thought_chunk", this.#out, options);
  }

  /**
   * Sends a whole plan, which replaces the previous plan with this id.
   *
   * @throws {CapabilityError} when the agent was created without the option `versions`, and there is a `planId`.
   */
  plan(entries: readonly PlanEntry[], { planId }: PlanOptions = {}): Sent {
    return this.#out.send(
      planId === undefined
        ? { sessionUpdate: "plan", entries: [...entries] }
        : versionOf(this.#channel.version, "planId").plan(planId, [...entries]),
    );
  }

  /** Sends a plan and returns a handle that changes it entry by entry. */
  startPlan(entries: readonly PlanEntryInit[], options?: PlanOptions): PlanHandle {
    const plan = new PlanHandle(entries, (changed) => this.plan(changed, options));
    void this.plan(plan.entries, options);
    return plan;
  }

  /**
   * Runs work that no prompt has requested, such as a report when a task in the background has ended. `run` gets a turn
   * with an empty prompt, and prompts wait until the work has ended. If a turn runs already, the work becomes part of
   * that turn, which then ends after it.
   *
   * A client of version 2 shows the work as such and can cancel it; a client of version 1 gets its updates outside of
   * turns.
   *
   * @throws {CapabilityError} when the agent was created without the option `versions`.
   */
  work(run: (work: Turn) => Promise<PromptResult>): Promise<PromptResponse> {
    return versionOf(this.version, "work").work(run);
  }

  /** Sends a new tool call and returns its handle. */
  toolCall(init: ToolCallInit): ToolCallHandle {
    const call = this.newToolCall(init, undefined);
    call.detach(); // no turn ends it
    return call;
  }

  /** @internal */
  protected newToolCall(init: ToolCallInit, signal: AbortSignal | undefined): ToolCallHandle {
    return new ToolCallHandle(this.#toolCallHost(signal), init);
  }

  #toolCallHost(signal?: AbortSignal): ToolCallHost {
    return {
      client: this.client,
      signal,
      channel: this.#channel,
      send: (update) => this.#out.send(update),
      report: (message) => this.#peer.report({ code: "tool_call_moved_back", message }),
      detached: () => new SessionHandle(this.#peer, this.#channel).#toolCallHost(),
    };
  }

  /**
   * Prompts the user to fill in a form and returns its values, with the types of the form's fields. Never request
   * secrets in a form; use a web page for them, see `client.elicitUrl`.
   *
   * @throws {CapabilityError} when the client does not support forms.
   * @throws {DecodeError} when a required field is missing or a value is of the wrong type.
   */
  async elicit<const Fields extends FormFields, const Required extends keyof Fields & string = never>(
    form: Form<Fields, Required>,
  ): Promise<FormAnswer<FormValues<Fields, Required>>> {
    const { message, fields, required = [], title, description, toolCallId } = form;
    const described = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
    const requestedSchema = {
      type: "object" as const,
      properties: { ...fields },
      required: [...required],
      ...described,
    };
    const about = toolCallId === undefined ? {} : { toolCallId };
    return readFormAnswer(form, await this.client.elicitForm({ message, requestedSchema, ...about }));
  }

  /** Sends the number of tokens in the model's context, the size of the context, and the cost of the session so far. */
  usage(usage: UsageUpdate): Sent {
    return this.#out.send({ sessionUpdate: "usage_update", ...usage });
  }

  /** Sends a new title of the session; `null` clears the title. */
  title(title: string | null): Sent {
    return this.info({ title });
  }

  /**
   * Sends changes of the session's title and time of last activity, which clients show in lists of sessions. Absent
   * members do not change, and `null` clears a member.
   */
  info(info: SessionInfoUpdate): Sent {
    return this.#out.send({ sessionUpdate: "session_info_update", ...info });
  }

  /** Sends a new list of slash commands. The names of slash commands have no leading slash. */
  commands(availableCommands: readonly AvailableCommand[]): Sent {
    return this.#out.send({ sessionUpdate: "available_commands_update", availableCommands: [...availableCommands] });
  }

  /** Sends the current mode, after it has changed. */
  mode(currentModeId: string): Sent {
    return this.#out.send({ sessionUpdate: "current_mode_update", currentModeId });
  }

  /** Sends a new list of config options. If the client does not support boolean options, they are left out. */
  configOptions(options: readonly SessionConfigOption[]): Sent {
    return this.#out.send({ sessionUpdate: "config_option_update", configOptions: [...options] });
  }

  /**
   * Sends a notice, which the client can show beside the conversation. The agent must not rely on it being shown.
   *
   * @throws {CapabilityError} when the client does not support notices; use a message instead.
   */
  notice(notice: Notice): Sent {
    const capability = "clientCapabilities.session.notices";
    if (!this.#peer.offers(capability)) throw new CapabilityError("session/update notice", capability);
    return this.#out.send({ sessionUpdate: "notice", ...notice });
  }

  /**
   * Sends the progress of a compaction of the context: `compaction_update` and `compaction_summary_chunk`.
   *
   * @throws {CapabilityError} when the client does not support compactions.
   */
  compaction(
    update: Extract<SessionUpdate, { sessionUpdate: "compaction_update" | "compaction_summary_chunk" }>,
  ): Sent {
    const capability = "clientCapabilities.session.compaction";
    if (!this.#peer.offers(capability)) throw new CapabilityError(`session/update ${update.sessionUpdate}`, capability);
    return this.#out.send(update);
  }
}
