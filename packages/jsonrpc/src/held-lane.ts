import { LaneQueue } from "./lane-queue.js";

/** A message or a non-blocking entry that waits. */
export type LaneEntry<Message, Passing> =
  | { readonly kind: "message"; readonly key: string; readonly message: Message; readonly size: number }
  | { readonly kind: "passing"; readonly key: string; readonly entry: Passing; readonly size: number };

/** A lane whose handler has not finished, and what waits in it. */
export class HeldLane<Message, Passing> {
  key = "";
  readonly queue: LaneQueue<LaneEntry<Message, Passing>> = new LaneQueue();
  /** Whose handler has not finished. */
  #message: Message | undefined;
  /** Made once for a lane that is used again and again. */
  readonly #onFinished: () => void;
  readonly #onFailed: (cause: unknown) => void;

  constructor(
    finished: (lane: HeldLane<Message, Passing>) => void,
    failed: (message: Message, cause: unknown) => void,
  ) {
    this.#onFinished = () => finished(this);
    this.#onFailed = (cause) => {
      failed(this.#message as Message, cause);
      finished(this);
    };
  }

  /** Waits for the handler of `message`. */
  hold(message: Message, handler: Promise<unknown>): void {
    this.#message = message;
    handler.then(this.#onFinished, this.#onFailed);
  }

  /** Lets go of the message, when nothing holds the lane any more. */
  release(): void {
    this.#message = undefined;
  }
}
