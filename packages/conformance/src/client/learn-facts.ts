import { START } from "../pace.js";
import { createReporting } from "../runner/create-reporting.js";
import { isObject } from "../wire/values.js";
import type { AgentSetup } from "./agent-setup.js";
import type { ClientFacts } from "./client-facts.js";
import { type OpenClientContextOptions, openClientContext } from "./open-client-context.js";

/** Runs one plain conversation with the client. Scenarios compare its behaviour with these facts. */
export async function learnFacts(
  options: Omit<OpenClientContextOptions, "facts">,
  setup: AgentSetup = {},
): Promise<ClientFacts> {
  const unknown: ClientFacts = {
    initialize: undefined,
    opensSession: false,
    prompts: true,
    exitCode: undefined,
    slowestStepMs: 0,
    silence: "",
  };
  const { context, close } = openClientContext(
    { title: "", verifies: ["TRANS-02"] },
    createReporting(() => {}),
    { ...options, facts: unknown },
  );
  let slowestStepMs = 0;
  const timed = async <Result>(step: Promise<Result>): Promise<Result> => {
    const start = performance.now();
    const result = await step;
    if (result !== undefined) slowestStepMs = Math.max(slowestStepMs, performance.now() - start);
    return result;
  };
  try {
    const run = await context.start(setup);
    const initialize = await timed(run.request("initialize"));
    const opened = initialize && (await timed(run.request("session/new")));
    const turn = opened && (await timed(run.nextTurn()));
    turn?.say("Hello.");
    turn?.end();
    run.respondToOtherPrompts();
    const status = turn && (await timed(run.exit()));
    options.pace.recordResponseTime(START, slowestStepMs);
    return {
      initialize: isObject(initialize?.params) ? initialize.params : undefined,
      opensSession: opened !== undefined,
      prompts: turn !== undefined,
      exitCode: status?.code ?? undefined,
      slowestStepMs,
      silence: run.silence(),
    };
  } finally {
    await close();
  }
}
