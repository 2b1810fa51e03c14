import { JsonRpcErrorCode, RpcError } from "@acp-kit/jsonrpc";
import type { ErrorObject } from "@acp-kit/jsonrpc/internal";
import { newConnectionId } from "./connections.js";

/** The state of a prompt whose caller does not wait for the result. */
export type DirectRun =
  | { readonly status: "running" }
  | { readonly status: "completed"; readonly result: unknown }
  | { readonly status: "failed"; readonly error: ErrorObject };

/** The runs of one principal: prompts whose caller does not wait. The oldest finished ones are removed. */
export class DirectRuns {
  readonly #maxRuns: number;
  readonly #runs = new Map<string, DirectRun>();

  constructor(maxRuns: number) {
    this.#maxRuns = maxRuns;
  }

  find(runId: string): DirectRun | undefined {
    return this.#runs.get(runId);
  }

  /** Whether a prompt is running. */
  get isRunning(): boolean {
    return [...this.#runs.values()].some(({ status }) => status === "running");
  }

  /**
   * Starts a prompt, keeps its outcome, and returns the run id.
   *
   * @throws {RpcError} when too many prompts are running.
   */
  start(begin: () => Promise<DirectRun>): string {
    if (this.#runs.size >= this.#maxRuns && !this.#forgetOne()) {
      const message = `More than ${this.#maxRuns} prompts are running.`;
      throw new RpcError(JsonRpcErrorCode.internalError, message);
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
