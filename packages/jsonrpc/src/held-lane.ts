import { Queue } from "./queue.js";

/** An entry of the queue: a message, or a non-blocking entry, which does not delay the messages after it. */
export type LaneEntry<Message, Passing> =
  | {
      readonly kind: "message";
      readonly key: string;
      readonly message: Message;
      readonly size: number;
      readonly weight: number;
    }
  | {
      readonly kind: "passing";
      readonly key: string;
      readonly entry: Passing;
      readonly size: number;
      readonly weight: number;
    };

/** A lane whose handler has not finished, and its queue. */
export class HeldLane<Message, Passing> {
  key = "";
  readonly queue: Queue<LaneEntry<Message, Passing>> = new Queue();
  #message: Message | undefined;
  /** The callbacks for the handler's promise, created once because the lane object is reused many times. */
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

  /** Blocks the lane until the handler of `message` has finished. */
  hold(message: Message, handler: Promise<unknown>): void {
    this.#message = message;
    handler.then(this.#onFinished, this.#onFailed);
  }

  /** Drops the reference to the message when nothing blocks the lane any more. */
  release(): void {
    this.#message = undefined;
  }
}
