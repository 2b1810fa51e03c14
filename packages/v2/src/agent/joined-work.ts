import type { PromptResult, Turn } from "@acp-kit/agent";
import type { AgentPort, WorkContext } from "@acp-kit/agent/internal";
import type { IncomingPromptRequest, PromptResponse, StopReason } from "@acp-kit/types";

/** A function that does the work of a turn. */
export type Work = (turn: Turn) => Promise<PromptResult>;

/** Starts a turn for work that no prompt has requested. */
type Start = (request: IncomingPromptRequest, context: WorkContext) => Promise<PromptResponse>;

/**
 * Runs the work of one session that no prompt has requested. During a turn, the work is part of the turn, which ends
 * after it; otherwise it is a turn of its own.
 */
export class JoinedWork {
  readonly #start: (work: Work, context: WorkContext, request: IncomingPromptRequest) => Promise<PromptResponse>;
  readonly #sessionId: string;
  readonly #joined = new Set<Promise<unknown>>();
  #turn: Turn | undefined;

  constructor({ sessions }: AgentPort, sessionId: string) {
    this.#sessionId = sessionId;
    this.#start = async (work, context, request) => {
      const session = sessions.find(sessionId);
      if (session === undefined) throw new Error(`Session ${sessionId} is not open, so it can't have work`);
      return session.turns.enqueue(request, context, work);
    };
  }

  /** Plays a turn and the work that joins it. */
  async play(turn: Turn, handler: () => Promise<PromptResult>): Promise<PromptResult> {
    this.#turn = turn;
    const leave = (): void => {
      if (this.#turn === turn) this.#turn = undefined;
    };
    void turn.over.then(leave); // the turn can end before its handler, if that ignores a cancellation
    try {
      return await handler();
    } finally {
      while (this.#joined.size > 0) await Promise.allSettled(this.#joined);
      leave();
    }
  }

  /** @param around runs the turn of the work, if it has one of its own. */
  async run(
    work: Work,
    around: (request: IncomingPromptRequest, start: Start) => Promise<PromptResponse>,
  ): Promise<PromptResponse> {
    const turn = this.#turn;
    if (turn === undefined) {
      const request = { sessionId: this.#sessionId, prompt: [] };
      return around(request, (_, context) => this.#start(work, context, request));
    }
    const joined = work(turn);
    this.#joined.add(joined);
    try {
      return responseOf(await joined);
    } finally {
      this.#joined.delete(joined);
    }
  }
}

/** Returns the response of a turn. A reason of the agent's own stays as it is. */
export function responseOf(result: PromptResult): PromptResponse {
  if (typeof result === "object" && result !== null) return result;
  return { stopReason: (result as StopReason | undefined) ?? "end_turn" };
}
