import { version2Agent, version2ClientScenarios, version2ClientWatches } from "../areas/version-2/client.js";
import { PATIENCE, Pace } from "../pace.js";
import type { Attempt, RunScenariosOptions, ScenarioOutcome } from "../runner/run-options.js";
import { runScenarios } from "../runner/run-scenarios.js";
import type { Watch } from "../scenario.js";
import type { AgentSetup } from "./agent-setup.js";
import { clientScenarios, clientWatches } from "./client-checks.js";
import type { ClientScenarioContext } from "./client-context.js";
import { type ClientFacts, speaksVersion2 } from "./client-facts.js";
import { type ClientDriving, clientDrivingDefaults } from "./client-options.js";
import type { LaunchClient } from "./client-process.js";
import type { Host } from "./host.js";
import { learnFacts } from "./learn-facts.js";
import { learnResponseTime } from "./learn-response-time.js";
import { openClientContext } from "./open-client-context.js";

/** Options of {@link playClient}, independent of the platform. */
export interface PlayClientOptions
  extends Pick<RunScenariosOptions<ClientScenarioContext>, "jobs" | "timeoutMs" | "confirm" | "signal" | "onOutcome"> {
  readonly launch: LaunchClient;
  /** Creates the {@link Host} of one scenario: its access to the files, folders and processes of the machine. */
  readonly host: () => Host;
  readonly driving?: ClientDriving;
  /** The version of the protocol to test; `auto`: each version that the client requests. @defaultValue "auto" */
  readonly protocol?: 1 | 2 | "auto" | undefined;
  /** Returns the environment variables that give the client of a run its own home folder and temporary folder. */
  readonly environment?: (attempt: Pick<Attempt, "job" | "number">) => Promise<Readonly<Record<string, string>>>;
  /** Selects the scenarios and watches to run. @defaultValue all */
  readonly wanted?: (check: Pick<Watch, "id" | "verifies">) => boolean;
  /** Called with the number of scenarios before the client is started for the first time. */
  readonly onStart?: ((scenarios: number) => void) | undefined;
}

/** The result of {@link playClient}. */
export interface ClientPlay {
  readonly facts: ClientFacts;
  /** The versions whose rules were tested. */
  readonly versions: readonly number[];
  readonly outcomes: readonly ScenarioOutcome<ClientScenarioContext>[];
}

/**
 * The time limit of a step is at least the duration of the client's slowest step, multiplied by this number. It is
 * smaller than
 * {@link PATIENCE}, because steps take seconds, and the kit waits this long for each missing step.
 */
const STEP_PATIENCE = 3;

/** Runs plain conversations to measure the speed of a client, and then every scenario with a fresh client. */
export async function playClient(options: PlayClientOptions): Promise<ClientPlay> {
  const { launch, host, wanted = () => true, protocol = "auto", jobs, confirm, timeoutMs, signal, onOutcome } = options;
  signal?.throwIfAborted();
  const pace = new Pace();
  const environmentOf = options.environment ?? (async () => ({}));
  const env = await environmentOf({ job: 0, number: 1 });
  const learn = (setup?: AgentSetup): Promise<ClientFacts> =>
    learnFacts({ launch, host: host(), driving: options.driving ?? {}, pace, env }, setup);
  const first = await learn(protocol === 2 ? version2Agent : undefined);
  // A client that does not continue in version 1 may speak only version 2.
  const isOnly2 = protocol === "auto" && !first.opensSession && speaksVersion2(first);
  const facts = isOnly2 ? await learn(version2Agent) : first;
  const versions = protocol !== "auto" ? [protocol] : isOnly2 ? [2] : speaksVersion2(facts) ? [1, 2] : [1];
  const has1 = versions.includes(1);
  const has2 = versions.includes(2);
  const scenarios = [...(has1 ? clientScenarios : []), ...(has2 ? version2ClientScenarios : [])].filter(wanted);
  const watches = [...(has1 ? clientWatches : []), ...(has2 ? version2ClientWatches : [])].filter(wanted);
  options.onStart?.(scenarios.length);
  const { stepTimeoutMs = clientDrivingDefaults.stepTimeoutMs } = options.driving ?? {};
  const responseMs =
    facts.prompts && has1
      ? await learnResponseTime({ launch, host: host(), driving: options.driving ?? {}, facts, pace, env })
      : 0;
  const driving = {
    ...options.driving,
    stepTimeoutMs: Math.max(stepTimeoutMs, STEP_PATIENCE * facts.slowestStepMs, PATIENCE * responseMs),
  };
  const outcomes = await runScenarios<ClientScenarioContext>({
    scenarios,
    watches,
    jobs,
    confirm,
    timeoutMs,
    signal,
    onOutcome,
    open: async (scenario, reporting, attempt) => {
      const env = await environmentOf(attempt);
      return openClientContext(scenario, reporting, { launch, host: host(), driving, facts, pace, env });
    },
  });
  return { facts, versions, outcomes };
}
