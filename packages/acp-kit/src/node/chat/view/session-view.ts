import type { Session } from "@acp-kit/client";
import type { Canvas } from "../text/canvas.js";
import type { Paint } from "../text/paint.js";
import { renderPlan } from "./entry-view.js";
import { type Advance, Scrollback } from "./scrollback.js";
import { statusLine } from "./status-line.js";

/** Outside of turns, a message counts as complete this long after its last chunk, in milliseconds. */
const quietMs = 400;

/** Renders the new output of the displayed session, for every frame. */
export class SessionView {
  readonly #cwd: string;
  readonly #changed: () => void;
  #session: Session | undefined;
  #scrollback = new Scrollback();
  /** Whether all output so far is complete. Outside of turns, {@link advance} then returns it as permanent lines. */
  #flush = false;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #stops: readonly (() => void)[] = [];

  /** @param changed called when there may be new output. */
  constructor(cwd: string, changed: () => void) {
    this.#cwd = cwd;
    this.#changed = changed;
  }

  /** Shows another session, or continues the same session. The session's transcript so far is shown as its history. */
  follow(session: Session): void {
    this.close();
    if (session !== this.#session) this.#scrollback = new Scrollback();
    this.#session = session;
    this.#stops = [session.transcript.subscribe(() => this.#told()), session.options.subscribe(this.#changed)];
    this.#flush = true;
    this.#changed();
  }

  /** Returns the new output: permanent and unfinished lines. */
  advance(canvas: Canvas, spinner: string): Advance {
    const session = this.#session;
    if (session === undefined) return { settled: [], live: [] };
    const flush = this.#flush && session.activity === "idle";
    this.#flush = false;
    return this.#scrollback.advance(session.transcript.snapshot, { canvas, cwd: this.#cwd, spinner, flush });
  }

  /** Returns the remaining lines of a finished turn. An empty line separates later output from them. */
  finish(session: Session, canvas: Canvas): readonly string[] {
    if (session !== this.#session) return [];
    this.#flush = true;
    const { settled } = this.advance(canvas, "●");
    this.#scrollback.interrupted();
    return settled;
  }

  /** Called after other output: see {@link Scrollback.interrupted}. */
  interrupted(): void {
    this.#scrollback.interrupted();
  }

  /** The plans of the running turn. */
  plan(canvas: Canvas): readonly string[] {
    const snapshot = this.#session?.transcript.snapshot;
    if (snapshot?.activity !== "running") return [];
    const turn = snapshot.turns.length - 1;
    const current = snapshot.entries.flatMap((entry) => (entry.type === "plan" && entry.turn === turn ? [entry] : []));
    return current.flatMap((plan) => renderPlan(plan, canvas));
  }

  /** The prompts that wait, in the chat or at the agent. */
  get queued(): readonly string[] {
    const waiting = (this.#session?.queue ?? []).filter(({ state }) => state === "queued" || state === "held");
    return waiting.map(({ prompt: [block] }) => (block?.type === "text" ? block.text : ""));
  }

  status(paint: Paint): string {
    if (this.#session === undefined) return "";
    const { transcript, options } = this.#session;
    const { title, usage, background = [] } = transcript.snapshot;
    return statusLine({ title, usage, options: options.snapshot, background: background.length }, paint);
  }

  close(): void {
    clearTimeout(this.#quiet);
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }

  #told(): void {
    this.#changed();
    clearTimeout(this.#quiet);
    if (this.#session?.activity !== "idle") return;
    this.#quiet = setTimeout(() => {
      this.#flush = true;
      this.#changed();
    }, quietMs);
  }
}
