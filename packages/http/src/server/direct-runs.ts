import { type ErrorObject, JsonRpcErrorCode, RpcError } from "@acp-kit/jsonrpc";
import { newConnectionId } from "./connections.js";

/** What became of a prompt that its caller did not wait for. */
export type DirectRun =
  | { readonly status: "running" }
  | { readonly status: "completed"; readonly result: unknown }
  | { readonly status: "failed"; readonly error: ErrorObject };

/** The prompts of one principal that are not waited for. Finished ones are forgotten when there are too many, the oldest first. */
export class DirectRuns {
  readonly #maxRuns: number;
  readonly #runs = new Map<string, DirectRun>();

  constructor(maxRuns: number) {
    this.#maxRuns = maxRuns;
  }

  find(runId: string): DirectRun | undefined {
    return this.#runs.get(runId);
  }

  /** Some prompt runs. */
  get isRunning(): boolean {
    return [...this.#runs.values()].some(({ status }) => status === "running");
  }

  /**
   * Keeps the outcome of a prompt, and returns the id to ask for it.
   *
   * @throws {RpcError} when too many are running.
   */
  start(begin: () => Promise<DirectRun>): string {
    if (this.#runs.size >= this.#maxRuns && !this.#forgetOne()) {
      const message = `More than ${this.#maxRuns} prompts are running.`;
      throw new RpcError(JsonRpcErrorCode.internalError, message, { data: { limit: "maxRuns" } });
    }
    const runId = newConnectionId();
    this.#runs.set(runId, { status: "running" });
    void begin().then((run) => this.#runs.set(runId, run));
    return runId;
  }

  #forgetOne(): boolean {
    for (const [runId, { status }] of this.#runs) {
      if (status !== "running") return this.#runs.delete(runId);
    }
    return false;
  }
}
