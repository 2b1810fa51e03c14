import { createReporting } from "../runner/create-reporting.js";
import { Inconclusive } from "../verdict.js";
import { type OpenClientContextOptions, openClientContext } from "./open-client-context.js";

/** Runs one conversation with a request of the agent. Returns the milliseconds until the response, or 0. */
export async function learnResponseTime(options: OpenClientContextOptions): Promise<number> {
  const { context, close } = openClientContext(
    { title: "", verifies: ["RPC-04"] },
    createReporting(() => {}),
    options,
  );
  try {
    const run = await context.start();
    const turn = await run.nextTurn();
    if (!turn) return 0;
    const start = performance.now();
    const isSlow = (error: unknown): boolean => error instanceof Inconclusive;
    const hasResponse = await turn
      .tryRequest("_acp-kit.test/alive", {})
      .then((response) => response !== undefined, isSlow);
    return hasResponse ? performance.now() - start : 0;
  } finally {
    await close();
  }
}
