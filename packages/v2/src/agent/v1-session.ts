import type { AgentPeer, OwnTerminal, PromptResult, ToolCallHandle, Turn } from "@acp-kit/agent";
import type {
  AgentPort,
  OwnTerminalInit,
  SessionPort,
  VersionedSession,
  VersionedUpdate,
  WorkContext,
} from "@acp-kit/agent/internal";
import { CapabilityError } from "@acp-kit/protocol";
import type * as v1 from "@acp-kit/types";
import type { Lost } from "../codec/loss.js";
import { mainPlan, planEntriesToV1, planUpdate } from "../codec/plan.js";
import { stopReasonToV1 } from "../codec/stop-reason.js";
import { isFinal, toolStatusToV1 } from "../codec/tool-call.js";
import type { BackgroundWork } from "./background-work.js";
import { JoinedWork, responseOf, type Work } from "./joined-work.js";
import { MetaTerminal, TextTerminal } from "./v1-own-terminal.js";

/**
 * A session of a connection of version 1 of an agent that also speaks version 2. It expresses what only version 2 has
 * as version 1 can, and reports the rest as a loss: the updates of a session that was stored on a connection of version
 * 2, for example.
 */
export class V1Session implements VersionedSession {
  readonly protocolVersion: number = 1;
  readonly #session: SessionPort;
  readonly #peer: AgentPeer;
  readonly #lost: Lost;
  readonly #background: BackgroundWork;
  readonly #joined: JoinedWork;
  /** The id of the plan that the client shows: the plan that was sent last. */
  #planId: string | undefined;

  constructor(session: SessionPort, agent: AgentPort, background: BackgroundWork, lost: Lost) {
    const { peer } = agent;
    this.#joined = new JoinedWork(agent, session.sessionId);
    this.#background = background;
    this.#session = session;
    this.#peer = peer;
    this.#lost = lost;
    this.request = peer.request.bind(peer) as AgentPeer["request"];
  }

  readonly request: AgentPeer["request"];

  identify(update: VersionedUpdate): VersionedUpdate {
    return update;
  }

  send(update: VersionedUpdate): Promise<void> | undefined {
    switch (update.sessionUpdate) {
      case "user_message":
      case "agent_message":
      case "agent_thought": {
        const { sessionUpdate, messageId, content } = update;
        let sent: Promise<void> | undefined;
        for (const block of content ?? [])
          sent = this.#post({ sessionUpdate: `${sessionUpdate}_chunk`, messageId, content: block as v1.ContentBlock });
        return sent;
      }
      case "tool_call_content_chunk": {
        const { toolCallId } = update;
        this.#lost("tool_call_content");
        return this.#post({ sessionUpdate: "tool_call_update", toolCallId });
      }
      case "terminal_update":
      case "terminal_output_chunk":
        this.#lost("terminal");
        return undefined;
      case "plan_update": {
        const { plan, ...rest } = update;
        if (plan.type !== "items" || !("entries" in plan)) {
          this.#lost("plan");
          return undefined;
        }
        this.#shows(plan.planId);
        return this.#post({ ...rest, sessionUpdate: "plan", entries: planEntriesToV1(plan.entries, this.#lost) });
      }
      case "plan":
        this.#shows(mainPlan);
        return this.#post(update);
      case "tool_call":
      case "tool_call_update": {
        const { status, toolCallId } = update;
        if (isFinal(status)) this.#background.ended(toolCallId);
        // `cancel()` promises `failed` on this version, which is no loss
        const known = status == null ? status : toolStatusToV1(status, () => {});
        return this.#post(known === status ? update : ({ ...update, status: known } as v1.SessionUpdate));
      }
      default:
        return this.#post(update);
    }
  }

  play(turn: Turn, handler: () => Promise<PromptResult>): Promise<PromptResult> {
    return this.#joined.play(turn, async () => {
      const response = responseOf(await handler());
      return { ...response, stopReason: stopReasonToV1(response.stopReason, this.#lost) };
    });
  }

  work(work: Work): Promise<v1.PromptResponse> {
    // Without a request, the work has no signal of its own, and no response
    const context: WorkContext = { signal: new AbortController().signal, afterResponse: (action) => action() };
    return this.#joined.run(work, (request, start) => start(request, context));
  }

  plan(planId: string, entries: v1.PlanEntry[]): VersionedUpdate {
    return planUpdate(planId, entries);
  }

  replacement(): never {
    throw new CapabilityError("replace", "protocolVersion 2", "Only version 2 of the protocol can replace a message");
  }

  messageIdOf(): undefined {
    return undefined;
  }

  holdUntil(): void {}

  follow(): void {}

  detach(call: ToolCallHandle, cancel: (() => void) | undefined): void {
    this.#background.add(call.id, cancel);
  }

  openTerminal(call: ToolCallHandle, init: OwnTerminalInit): OwnTerminal {
    const { terminalId = `terminal_${crypto.randomUUID()}` } = init;
    const { _meta } = (this.#peer.agreement?.capabilities ?? {}) as v1.ClientCapabilities;
    return _meta?.terminal_output === true
      ? new MetaTerminal(call, init, terminalId)
      : new TextTerminal(call, init, terminalId);
  }

  close(): void {
    this.#background.cancelAll();
  }

  #shows(planId: string): void {
    if (this.#planId !== undefined && this.#planId !== planId) this.#lost("plan");
    this.#planId = planId;
  }

  #post(update: v1.SessionUpdate): Promise<void> | undefined {
    return this.#peer.notify("session/update", { sessionId: this.#session.sessionId, update });
  }
}
