import type { ClientScenarioContext } from "../../client/client-context.js";
import type { ClientDriving } from "../../client/client-options.js";
import type { LaunchClient } from "../../client/client-process.js";
import { at } from "../../client/json.js";
import { notTestableForClients } from "../../client/not-testable.js";
import { playClient } from "../../client/play-client.js";
import { buildReport } from "../../report/build-report.js";
import type { ConformanceReport } from "../../report/report.js";
import type { ScenarioOutcome } from "../../runner/run-options.js";
import { type ClientCommandOptions, clientLauncher } from "./launch-client.js";
import { nodeHost } from "./node-host.js";

/** What {@link testClient} tests, and how. */
export interface TestClientOptions extends ClientDriving {
  /** How the client is started, anew for each scenario. A function plays the client without a process. */
  readonly client: ClientCommandOptions | LaunchClient;
  /** Only scenarios and watches whose id, or one of whose rules, is this, or whose id begins so. */
  readonly only?: readonly string[];
  /** None of those. */
  readonly skip?: readonly string[];
  /** How many clients run at a time. @defaultValue 1 */
  readonly jobs?: number;
  /** The time that each scenario has. @defaultValue 60000 */
  readonly timeoutMs?: number;
  /** Ids of scenarios, watches or rules that are known to fail. One that doesn't fail makes the report non-conformant. */
  readonly expectedFailures?: readonly string[];
  readonly signal?: AbortSignal;
  onOutcome?(outcome: ScenarioOutcome<ClientScenarioContext>): void;
}

/**
 * Tests a client, black box: it is started with an agent of ours as its agent, and whatever it sends to it is looked at.
 * Leaves no process behind.
 *
 * The client has to come to a turn by itself, from its command or from what is typed on its stdin. What it never does is
 * skipped, with the reason. One that never prompts is not conformant, because next to nothing is known of it; `blocked` says so.
 */
export async function testClient(options: TestClientOptions): Promise<ConformanceReport> {
  const { client, only = [], skip = [], jobs, timeoutMs, expectedFailures, signal, onOutcome, ...driving } = options;
  const wanted = ({ id, verifies }: { readonly id: string; readonly verifies: readonly string[] }): boolean => {
    const hits = (wish: string): boolean => id.startsWith(wish) || verifies.includes(wish);
    return (only.length === 0 || only.some(hits)) && !skip.some(hits);
  };
  const startedAt = new Date();
  const start = performance.now();
  const { facts, outcomes } = await playClient({
    launch: typeof client === "function" ? client : clientLauncher(client),
    host: nodeHost,
    driving,
    wanted,
    ...(jobs !== undefined && { jobs }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(signal && { signal }),
    ...(onOutcome && { onOutcome }),
  });
  const info = at(facts.initialize, "clientInfo");
  const [name, version] = [at(info, "name"), at(info, "version")];
  const report = buildReport({
    role: "client",
    subject: {
      command: typeof client === "function" ? "(in this process)" : client.command.join(" "),
      ...(typeof name === "string" && { name }),
      ...(typeof version === "string" && { version }),
    },
    startedAt,
    durationMs: performance.now() - start,
    outcomes,
    ...(expectedFailures && { expectedFailures }),
    notTestable: notTestableForClients,
  });
  if (facts.prompts) return report;
  const wants = facts.opensSession ? "sends no prompt" : "opens no session";
  return { ...report, conformant: false, blocked: `The client ${wants} by itself${facts.silence}.` };
}
