import type { PromptTurn, Session } from "@acp-kit/client";
import type { ExitCode } from "../exit-code.js";
import { exitCodeOfTurn } from "../exit-code-of.js";
import type { Log } from "../log.js";
import { attachFiles } from "./prompt/attach-files.js";
import type { Paint } from "./text/paint.js";
import { turnEnd } from "./view/turn-end.js";

/** How long an agent may take to answer a cancelled turn. */
const cancelTimeoutMs = 10_000;

/** What turns need, and who hears of them. */
export interface TurnsSetting {
  readonly cwd: string;
  /** For each turn; 0 for ever. */
  readonly timeoutMs: number;
  readonly log: Log;
  readonly paint: Paint;
  /** What the agent takes, by the path of a capability. */
  offers(capability: string): boolean;
  /** A turn is over: what is told of its end, and how it counts. A prompt that was cancelled before it was sent is not told. */
  ended(session: Session, lines: readonly string[], code: ExitCode): void;
  failed(session: Session, error: unknown): void;
  timedOut(): void;
  /** A turn begins to play, at this time. */
  began(at: number): void;
  /** It is over, however it went. */
  over(): void;
}

/** The turns of a chat, one after the other, as the session plays them. */
export class Turns {
  readonly #setting: TurnsSetting;
  /** Resolves when everything that was prompted is done; never rejects. */
  #last: Promise<void> = Promise.resolve();
  /** Turns that are not over. */
  #waiting = 0;

  constructor(setting: TurnsSetting) {
    this.#setting = setting;
  }

  /** Prompts, with the files that the text names. Resolves when the turn is over. */
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
    const wasSent = turn.state !== "settled"; // else it was cancelled while it waited, or could not be sent at all
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
    log.warn(`The turn took longer than ${timeoutMs / 1000} s: cancelled`);
    timedOut();
    turn.cancel();
  }
}
