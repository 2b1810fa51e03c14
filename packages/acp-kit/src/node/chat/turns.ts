import type { PromptTurn, Session } from "@acp-kit/client";
import type { ExitCode } from "../exit-code.js";
import { exitCodeOfTurn } from "../exit-code-of.js";
import type { Log } from "../log.js";
import { attachFiles } from "./prompt/attach-files.js";
import type { Paint } from "./text/paint.js";
import { turnEnd } from "./view/turn-end.js";

/** How long an agent may take to end a cancelled turn, in milliseconds. */
const cancelTimeoutMs = 10_000;

/** The dependencies and callbacks of turns. */
export interface TurnsSetting {
  readonly cwd: string;
  /** The time limit of each turn, in milliseconds; 0 means no limit. */
  readonly timeoutMs: number;
  readonly log: Log;
  readonly paint: Paint;
  /** Returns whether the agent advertises a capability. `capability` is its path. */
  offers(capability: string): boolean;
  /** Called when a turn ends with a stop reason. `lines` are shown. Not called for a prompt that was cancelled before it was sent. */
  ended(session: Session, lines: readonly string[], code: ExitCode): void;
  failed(session: Session, error: unknown): void;
  timedOut(): void;
  /** Called when a turn starts. `at` is the time. */
  began(at: number): void;
  /** Called after `ended` or `failed`, once for each prompt, even if the prompt was cancelled before it was sent. */
  over(): void;
}

/** Runs the turns of a chat, one after the other. */
export class Turns {
  readonly #setting: TurnsSetting;
  /** Resolves when the turns of all prompts have ended. Never rejects. */
  #last: Promise<void> = Promise.resolve();
  /** The number of running and queued turns. */
  #waiting = 0;

  constructor(setting: TurnsSetting) {
    this.#setting = setting;
  }

  /** Sends a prompt with the files that the text names. Resolves when the turn has ended. */
  prompt(session: Session, text: string): Promise<void> {
    const { cwd, log, offers } = this.#setting;
    const has = (name: string): boolean => offers(`agentCapabilities.promptCapabilities.${name}`);
    const takes = { embeddedContext: has("embeddedContext"), image: has("image"), audio: has("audio") };
    const { prompt, problems } = attachFiles(text, cwd, takes);
    for (const problem of problems) log.warn(problem);
    const turn = session.prompt(prompt, { unsupportedBlocks: "link", cancelTimeoutMs });
    if (this.#waiting === 0) this.#setting.began(Date.now());
    this.#waiting += 1;
    this.#last = this.#last.then(() => this.#play(turn));
    return this.#last;
  }

  async #play(turn: PromptTurn): Promise<void> {
    const { timeoutMs, paint, ended, failed, began, over } = this.#setting;
    const wasSent = turn.state !== "settled"; // a settled turn was cancelled in the queue, or its prompt could not be sent
    const since = Date.now();
    began(since);
    const timer = timeoutMs > 0 ? setTimeout(() => this.#timeOut(turn), timeoutMs) : undefined;
    try {
      const { stopReason } = await turn.result;
      const usage = turn.session.transcript.snapshot.turns.at(-1)?.usage;
      const lines = turnEnd({ stopReason, durationMs: Date.now() - since, usage }, paint);
      if (wasSent) ended(turn.session, lines, exitCodeOfTurn(stopReason));
    } catch (error) {
      failed(turn.session, error);
    } finally {
      clearTimeout(timer);
      this.#waiting -= 1;
      over();
    }
  }

  #timeOut(turn: PromptTurn): void {
    const { log, timeoutMs, timedOut } = this.#setting;
    log.warn(`The turn took longer than ${timeoutMs / 1000} s and was cancelled`);
    timedOut();
    turn.cancel();
  }
}
