import { agentFailure } from "../agent/agent-failure.js";
import type { AgentSeat } from "../agent/agent-seat.js";
import type { Outcome, SettingUpdate } from "../journal/journal-entry.js";
import type { Command, Reply } from "./command.js";
import type { OwnedJournal } from "./owned-journal.js";
import { settingOf } from "./settings.js";

type Call = Extract<Command, { is: "call" }>;

/** What {@link SessionCalls} work with. */
export interface SessionCallsOptions {
  readonly journal: OwnedJournal;
  readonly seat: AgentSeat;
  /** Whether the session is still owned here and not being given up. */
  readonly isActive: () => boolean;
  readonly onSetting: (by: string, update: SettingUpdate) => void;
  readonly onBusy: () => void;
  readonly onIdle: () => void;
}

/** Requests of clients to the agent of a session, apart from prompts: settings and extensions. */
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
    const { seat, onBusy, onIdle } = this.#options;
    this.#running += 1;
    onBusy();
    try {
      await seat.wake(call.opening); // until here, another owner may do it instead
      return await this.#callAgent(call);
    } finally {
      this.#running -= 1;
      onIdle();
    }
  }

  /** Never refused with `not_owner`: the agent may have done it. */
  async #callAgent({ method, params, opening, client }: Call): Promise<Reply> {
    const { journal, seat, isActive, onSetting } = this.#options;
    let outcome: Outcome;
    try {
      const result = await seat.request(method, params, opening, {
        decode: (result) => {
          const update = settingOf(method, params, result);
          if (update !== undefined) onSetting(client, update);
          return result;
        },
      });
      outcome = { result };
    } catch (error) {
      outcome = { error: agentFailure(error).toJSON() };
    }
    const at = journal.last;
    await journal.durable().catch(() => {}); // the outcome is true all the same
    return { is: "done", at: isActive() ? at : 0, outcome };
  }
}
