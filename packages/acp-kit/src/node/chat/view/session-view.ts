import type { Session } from "@acp-kit/client";
import type { Canvas } from "../text/canvas.js";
import type { Paint } from "../text/paint.js";
import { renderPlan } from "./entry-view.js";
import { type Advance, Scrollback } from "./scrollback.js";
import { statusLine } from "./status-line.js";

/** Outside of turns nobody says that a message is complete: this long after its last word it is. */
const quietMs = 400;

/** The session that is shown: what is new of it, for every frame. */
export class SessionView {
  readonly #cwd: string;
  readonly #changed: () => void;
  #session: Session | undefined;
  #scrollback = new Scrollback();
  /** What was told until now is complete. */
  #flush = false;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #stops: readonly (() => void)[] = [];

  /** @param changed told when there may be something new to draw. */
  constructor(cwd: string, changed: () => void) {
    this.#cwd = cwd;
    this.#changed = changed;
  }

  /** Shows another session from here on, or goes on with the same. What it has told until now is its history. */
  follow(session: Session): void {
    this.close();
    if (session !== this.#session) this.#scrollback = new Scrollback();
    this.#session = session;
    this.#stops = [session.transcript.subscribe(() => this.#told()), session.options.subscribe(this.#changed)];
    this.#flush = true;
    this.#changed();
  }

  /** What is new: what stays, and what is going on. */
  advance(canvas: Canvas, spinner: string): Advance {
    const session = this.#session;
    if (session === undefined) return { settled: [], live: [] };
    const flush = this.#flush && session.activity === "idle";
    this.#flush = false;
    return this.#scrollback.advance(session.transcript.snapshot, { canvas, cwd: this.#cwd, spinner, flush });
  }

  /** What is left to write of a turn that is over. What follows stands apart from it. */
  finish(session: Session, canvas: Canvas): readonly string[] {
    if (session !== this.#session) return [];
    this.#flush = true;
    const { settled } = this.advance(canvas, "●");
    this.#scrollback.interrupted();
    return settled;
  }

  /** Something else is written in between. */
  interrupted(): void {
    this.#scrollback.interrupted();
  }

  /** The plan, while the turn runs that it was made in. */
  plan(canvas: Canvas): readonly string[] {
    const snapshot = this.#session?.transcript.snapshot;
    if (snapshot?.activity !== "running") return [];
    const turn = snapshot.turns.length - 1;
    const isCurrent = snapshot.entries.some((entry) => entry.type === "plan" && entry.turn === turn);
    return isCurrent && snapshot.plan?.length ? renderPlan(snapshot.plan, canvas) : [];
  }

  /** The prompts that wait for the running turn. */
  get queued(): readonly string[] {
    const [, ...waiting] = this.#session?.queue.snapshot ?? [];
    return waiting.map(({ prompt: [block] }) => (block?.type === "text" ? block.text : ""));
  }

  status(paint: Paint): string {
    if (this.#session === undefined) return "";
    const { transcript, options } = this.#session;
    const { title, usage } = transcript.snapshot;
    return statusLine({ title, usage, options: options.snapshot }, paint);
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
