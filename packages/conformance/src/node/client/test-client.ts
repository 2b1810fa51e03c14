import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { version2ClientScenarios, version2ClientWatches } from "../../areas/version-2/client.js";
import { calledMethods } from "../../client/called-methods.js";
import { clientScenarios, clientWatches } from "../../client/client-checks.js";
import type { ClientScenarioContext } from "../../client/client-context.js";
import type { ClientDriving } from "../../client/client-options.js";
import type { LaunchClient } from "../../client/client-process.js";
import { playClient } from "../../client/play-client.js";
import { watchedScenarios } from "../../client/watched-scenarios.js";
import { unknownExpectedFailure } from "../../expected-failures.js";
import { buildReport } from "../../report/build-report.js";
import type { ConformanceReport } from "../../report/report.js";
import type { ScenarioOutcome } from "../../runner/run-options.js";
import { hits, isNamed, isSkipped, type Wanted, wantedBy } from "../../runner/selection.js";
import type { Check } from "../../scenario.js";
import { checkTimes } from "../../timer.js";
import { member } from "../../wire/values.js";
import { AgentHomes } from "../agent-homes.js";
import { defaultJobs } from "../default-jobs.js";
import { kitVersion } from "../kit-version.js";
import type { TestAgentOptions } from "../test-agent.js";
import { type ClientCommandOptions, clientLauncher } from "./launch-client.js";
import { nodeHost } from "./node-host.js";

const scenarios = [...clientScenarios, ...version2ClientScenarios];
const watches = [...clientWatches, ...version2ClientWatches];

/** Options of {@link testClient}. */
export interface TestClientOptions
  extends ClientDriving,
    Pick<
      TestAgentOptions,
      "protocol" | "only" | "skip" | "home" | "jobs" | "confirm" | "expectedFailures" | "signal" | "onStart"
    > {
  /** The command that starts the client, once for each scenario; or a function that runs the client in this process. */
  readonly client: ClientCommandOptions | LaunchClient;
  /** The time limit of each scenario, in milliseconds. @defaultValue 120000 */
  readonly timeoutMs?: number;
  onOutcome?(outcome: ScenarioOutcome<ClientScenarioContext>): void;
}

/**
 * Tests a client as a black box: starts it with a scripted agent and checks all messages that it sends.
 * Leaves no process behind.
 *
 * The client has to start a turn by itself, from its command or from text on its stdin. The kit skips scenarios about
 * features that the client never uses, and states the reason. The report on a client that never sends a prompt is
 * inconclusive, and states this reason.
 *
 * @throws {TypeError} if a time limit is not a number of 0 or more, or no check has one of the ids of
 * `expectedFailures`.
 */
export async function testClient(options: TestClientOptions): Promise<ConformanceReport> {
  checkOptions("testClient", options, optionKinds);
  const {
    client,
    protocol,
    only = [],
    skip = [],
    home = "own",
    jobs = defaultJobs(client, home),
    timeoutMs,
    confirm,
    expectedFailures,
    signal,
    onStart,
    onOutcome,
    ...driving
  } = options;
  checkTimes(options, ["stepTimeoutMs", "quietMs", "timeoutMs"]);
  const unknown = unknownExpectedFailure("client", expectedFailures ?? []);
  if (unknown !== undefined) throw new TypeError(`options.expectedFailures: ${unknown}`);
  const isWanted = wantedBy({ only, skip });
  // A watch checks the messages of scenarios. So if `only` names a watch, or a rule that no scenario checks, these
  // scenarios run.
  const isOf2 = ({ id }: Pick<Check, "id">): boolean => id.startsWith("version-2/");
  const needsMessages = (ofVersion2: boolean): boolean =>
    only.some(
      (wish) =>
        watches.some((watch) => isOf2(watch) === ofVersion2 && isNamed(watch, [wish])) &&
        !scenarios.some((scenario) => hits(wish, scenario)),
    );
  const wanted: Wanted = (check) =>
    isWanted(check) || (watchedScenarios.has(check.id) && needsMessages(isOf2(check)) && !isSkipped(check, skip));
  const startedAt = new Date();
  const start = performance.now();
  const homes = new AgentHomes(typeof home === "object" ? home : {});
  const { facts, versions, outcomes } = await playClient({
    launch: typeof client === "function" ? client : clientLauncher(client),
    host: nodeHost,
    driving,
    protocol,
    wanted,
    ...(home !== "shared" && { environment: async (attempt) => (await homes.for(attempt)).env }),
    jobs,
    timeoutMs,
    confirm,
    signal,
    onStart,
    onOutcome,
  }).finally(() => homes.close());
  const info = member(facts.initialize, "clientInfo") ?? member(facts.initialize, "info");
  const [name, version] = [member(info, "name"), member(info, "version")];
  return buildReport({
    role: "client",
    subject: {
      command: typeof client === "function" ? "(in this process)" : client.command.join(" "),
      ...(typeof name === "string" && { name }),
      ...(typeof version === "string" && { version }),
      calls: calledMethods(outcomes),
    },
    kit: kitVersion(),
    limits: driving.stepTimeoutMs === undefined ? undefined : { stepTimeoutMs: driving.stepTimeoutMs },
    startedAt,
    durationMs: performance.now() - start,
    outcomes,
    versions,
    only,
    blocked: facts.prompts
      ? undefined
      : `The client ${facts.opensSession ? "sends no prompt" : "opens no session"} by itself${facts.silence}`,
    stopped: signal?.aborted,
    expectedFailures,
  });
}

const optionKinds: OptionKinds<TestClientOptions> = {
  client: "value!",
  protocol: "value",
  only: "value",
  skip: "value",
  home: "value",
  jobs: "value",
  timeoutMs: "value",
  confirm: "value",
  expectedFailures: "value",
  signal: "value",
  onStart: "function",
  onOutcome: "function",
  stdin: "value",
  closeStdin: "value",
  prompt: "value",
  cancelSignal: "value",
  cancelStdin: "value",
  permissionStdin: "value",
  stepTimeoutMs: "value",
  quietMs: "value",
};
