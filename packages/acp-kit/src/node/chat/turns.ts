import type { AgentCapability, PromptTurn, Session } from "@acp-kit/client";
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
  offers(capability: AgentCapability): boolean;
  /** Called when a turn ends with a stop reason, not for a prompt that was cancelled before it was sent. */
  ended(turn: PromptTurn, lines: readonly string[], code: ExitCode): void;
  failed(turn: PromptTurn, error: unknown): void;
  /** Called with the text of a prompt that failed before it was sent. */
  unsent(text: string): void;
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
  readonly #texts = new Map<PromptTurn, string>();

  constructor(setting: TurnsSetting) {
    this.#setting = setting;
  }

  /** Sends a prompt with the files that the text names. Resolves when the turn has ended. */
  prompt(session: Session, text: string): Promise<void> {
    const { cwd, log, offers } = this.#setting;
    const has = (name: "embeddedContext" | "image" | "audio"): boolean =>
      offers(`agentCapabilities.promptCapabilities.${name}`);
    const takes = { embeddedContext: has("embeddedContext"), image: has("image"), audio: has("audio") };
    const { prompt, problems } = attachFiles(text, cwd, takes);
    for (const problem of problems) log.warn(problem);
    const turn = session.prompt(prompt, { unsupportedBlocks: "link", cancelTimeoutMs });
    this.#texts.set(turn, text);
    return this.follow(turn);
  }

  /** Shows a turn that was not started here, or a prompt that was sent. Resolves when the turn has ended. */
  follow(turn: PromptTurn): Promise<void> {
    if (this.#waiting === 0) this.#setting.began(Date.now());
    this.#waiting += 1;
    this.#last = this.#last.then(() => this.#play(turn));
    return this.#last;
  }

  /** Removes the queued prompts. Returns their texts. */
  takeBack(): string[] {
    return [...this.#texts].flatMap(([turn, text]) => (turn.remove() ? [text] : []));
  }

  async #play(turn: PromptTurn): Promise<void> {
    const { paint, ended, failed, unsent, began, over } = this.#setting;
    const timeoutMs = turn.isJoined ? 0 : this.#setting.timeoutMs; // a turn of another client has its own limit
    // A settled turn was cancelled in the queue, or its prompt could not be sent
    const wasSent = turn.state !== "settled";
    const since = Date.now();
    began(since);
    const timer = timeoutMs > 0 ? setTimeout(() => this.#timeOut(turn), timeoutMs) : undefined;
    try {
      const { stopReason } = await turn.result;
      const usage = turn.session.transcript.snapshot.turns.at(-1)?.usage;
      const lines = turnEnd({ stopReason, durationMs: Date.now() - since, usage }, paint);
      if (wasSent) ended(turn, lines, exitCodeOfTurn(stopReason));
    } catch (error) {
      failed(turn, error);
      const text = this.#texts.get(turn);
      if (text !== undefined && !isInTranscript(turn)) unsent(text);
    } finally {
      clearTimeout(timer);
      this.#texts.delete(turn);
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

/** Returns whether the prompt of the turn was sent: it is then the last message of the user in the transcript. */
function isInTranscript({ prompt: [block], session }: PromptTurn): boolean {
  const last = session.transcript.snapshot.entries.findLast(({ type }) => type === "user_message");
  const [sent] = last?.type === "user_message" ? last.content : [];
  return block?.type === "text" && sent?.type === "text" && sent.text === block.text;
}
