import { Worker } from "node:worker_threads";

/**
 * The entries that change places: `one`, a file or folder, and `other`, a symbolic link to `target`. Both are created.
 */
export interface Swap {
  readonly one: string;
  readonly other: string;
  readonly target: string;
  /** Whether `one` is a folder with a file in it. */
  readonly folder: boolean;
}

/** Runs `action` while a worker thread swaps the two entries as fast as it can. Returns the number of swaps. */
export async function whileSwapping(swap: Swap, action: () => Promise<void>): Promise<number> {
  const state = new Int32Array(new SharedArrayBuffer(8));
  const script = new URL("./fixtures/swap.mjs", import.meta.url);
  const worker = new Worker(script, { workerData: { ...swap, control: state.buffer } });
  const exited = new Promise<void>((resolve, reject) => {
    worker.once("exit", () => resolve());
    worker.once("error", reject);
  });
  try {
    await Promise.race([new Promise((resolve) => worker.once("message", resolve)), exited]);
    await action();
  } finally {
    Atomics.store(state, 0, 1);
    await exited;
  }
  return Atomics.load(state, 1);
}
