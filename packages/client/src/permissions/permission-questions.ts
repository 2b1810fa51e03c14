import { Cell } from "../cell.js";
import type { PermissionQuestion } from "./ask-user.js";

/** A question as it enters the queue. */
export interface NewQuestion extends Pick<PermissionQuestion, "request" | "options" | "session" | "answer"> {
  /**
   * It is this question's turn. `asked` says that it is shown now, and gives what is shown; `undefined` when it is gone. `waited` is true
   * when others were before it.
   */
  readonly show: (
    asked: (expiresAt: number | undefined) => PermissionQuestion | undefined,
    waited: boolean,
  ) => Promise<void>;
}

/** The questions that wait for people: so many are shown at once, the others wait in their order. */
export class PermissionQuestions {
  readonly list: Cell<readonly PermissionQuestion[]> = new Cell<readonly PermissionQuestion[]>([]);
  readonly #concurrency: number;
  readonly #questions = new Map<number, { readonly question: NewQuestion; begun: boolean; gone: boolean }>();
  #last = 0;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  nextId(): number {
    this.#last += 1;
    return this.#last;
  }

  /** Lists it at once; it is shown a little later. */
  add(id: number, question: NewQuestion): void {
    this.#questions.set(id, { question, begun: false, gone: false });
    const { request, options, session, answer } = question;
    const waiting: PermissionQuestion = {
      id,
      request,
      options,
      session,
      state: "waiting",
      expiresAt: undefined,
      answer,
    };
    this.list.set([...this.list.snapshot, waiting]);
    const waited = this.#showing() >= this.#concurrency;
    queueMicrotask(() => this.#show(waited));
  }

  /** It needs no answer any more. It keeps its place until {@link free}. `false` when it had gone already. */
  remove(id: number): boolean {
    const entry = this.#questions.get(id);
    if (entry === undefined || entry.gone) return false;
    entry.gone = true;
    this.list.set(this.list.snapshot.filter((question) => question.id !== id));
    return true;
  }

  /** What follows from its answer has been done: the next one may be shown. */
  free(id: number): void {
    if (this.#questions.delete(id)) queueMicrotask(() => this.#show(true));
  }

  #showing(): number {
    return [...this.#questions.values()].filter(({ begun }) => begun).length;
  }

  #show(waited: boolean): void {
    let free = this.#concurrency - this.#showing();
    for (const [id, entry] of this.#questions) {
      if (free <= 0) return;
      if (entry.begun || entry.gone) continue;
      free -= 1;
      entry.begun = true;
      void entry.question.show((expiresAt) => this.#asked(id, expiresAt), waited);
    }
  }

  #asked(id: number, expiresAt: number | undefined): PermissionQuestion | undefined {
    const now = (question: PermissionQuestion): PermissionQuestion =>
      question.id === id ? { ...question, state: "asked", expiresAt } : question;
    this.list.set(this.list.snapshot.map(now));
    return this.list.snapshot.find((question) => question.id === id);
  }
}
