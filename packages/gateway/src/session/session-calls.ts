import { agentFailure } from "../agent/agent-failure.js";
import type { SessionAgent } from "../agent/session-agent.js";
import type { Position } from "../engine/journal-page.js";
import { gatewayError } from "../gateway-error.js";
import type { Outcome, SettingUpdate } from "../journal/journal-entry.js";
import type { Command, Reply } from "./command.js";
import type { OwnedJournal } from "./owned-journal.js";
import { settingOf } from "./settings.js";

type Call = Extract<Command, { is: "call" }>;

/** Options of {@link SessionCalls}. */
export interface SessionCallsOptions {
  readonly journal: OwnedJournal;
  readonly agent: SessionAgent;
  /** Whether the session is `active` on this replica. */
  readonly isActive: () => boolean;
  readonly onSetting: (by: string, update: SettingUpdate) => void;
  readonly onBusy: () => void;
  readonly onIdle: () => void;
}

/**
 * Sends clients' requests other than prompts to the agent of a session, such as changes of settings, and extensions.
 */
export class SessionCalls {
  readonly #options: SessionCallsOptions;
  #running = 0;

  constructor(options: SessionCallsOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#running === 0;
  }

  async run(call: Call): Promise<Reply> {
    const { agent, onBusy, onIdle } = this.#options;
    this.#running += 1;
    onBusy();
    try {
      const { host } = await agent.wake(call.opening);
      if (host.version !== (call.version ?? 1) && !call.method.startsWith("_")) throw changedVersion();
      agent.assertReads(); // the agent has not received the call yet, so after an error another owner may execute it
      return await this.#callAgent(call);
    } finally {
      this.#running -= 1;
      onIdle();
    }
  }

  /** Sends the call to the agent. Never replies `not_owner`, because the agent may have executed the call. */
  async #callAgent({ method, params, opening, client }: Call): Promise<Reply> {
    const { journal, agent, isActive, onSetting } = this.#options;
    let outcome: Outcome;
    /**
     * The journal's end at the change of a setting. Later entries may follow in the same read, before this function
     * continues.
     */
    let setting: Position | undefined;
    try {
      const result = await agent.request(method, params, opening, {
        decode: (result) => {
          const update = settingOf(method, params, result);
          if (update !== undefined) onSetting(client, update);
          if (update !== undefined) setting = journal.end;
          return result;
        },
      });
      outcome = { result };
    } catch (error) {
      outcome = { error: agentFailure(error).toJSON() };
    }
    const { seq: at, epoch } = setting ?? journal.end;
    await journal.durable().catch(() => {}); // even if the journal can't be written, the agent has executed the call
    return isActive() ? { is: "done", at, epoch, outcome } : { is: "done", at: 0, epoch: 0, outcome };
  }
}

/** The client has not received yet that the agent was started again. */
function changedVersion(): unknown {
  const message = "The agent was started again and speaks another version of the protocol: send the request again";
  return gatewayError("agent_failed", message);
}
