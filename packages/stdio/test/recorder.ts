import type { MalformedInput, TransportReceiver } from "@acp-kit/jsonrpc";

/** A receiver that records what it received, in order, and lets a test wait for it. */
export class Recorder implements TransportReceiver {
  readonly messages: unknown[] = [];
  readonly malformedInputs: MalformedInput[] = [];
  /** The calls of `ended` and `failed`, in order. */
  readonly ends: { readonly kind: "ended" | "failed"; readonly error?: unknown }[] = [];
  onMessage: (value: unknown) => void = () => {};
  readonly #waiting = new Set<() => void>();

  message(value: unknown): void {
    this.messages.push(value);
    this.onMessage(value);
    this.#wake();
  }

  malformed(input: MalformedInput): void {
    this.malformedInputs.push(input);
    this.#wake();
  }

  ended(): void {
    this.ends.push({ kind: "ended" });
    this.#wake();
  }

  failed(error: unknown): void {
    this.ends.push({ kind: "failed", error });
    this.#wake();
  }

  /** Resolves once `condition` holds; it is checked whenever something arrives. */
  async until(condition: (recorder: Recorder) => boolean): Promise<void> {
    while (!condition(this)) {
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
  }

  /** Resolves with the error of `failed`. */
  async failure(): Promise<unknown> {
    await this.until(({ ends }) => ends.some(({ kind }) => kind === "failed"));
    return this.ends.at(-1)?.error;
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
