import { DialogueLog } from "../dialogue.js";
import { PATIENCE, type Pace } from "../pace.js";
import type { OpenContext } from "../runner/run-options.js";
import type { Scenario, ScenarioContext } from "../scenario.js";
import type { AgentSetup } from "./agent-setup.js";
import type { ClientScenarioContext } from "./client-context.js";
import { type ClientFacts, clientHas } from "./client-facts.js";
import { type ClientDriving, clientDrivingDefaults } from "./client-options.js";
import type { LaunchClient } from "./client-process.js";
import { ClientRun } from "./client-run.js";
import type { Host } from "./host.js";
import { ScriptedAgent } from "./scripted-agent.js";
import type { Turn } from "./turn.js";

/** The dependencies of a client context. */
export interface OpenClientContextOptions {
  readonly launch: LaunchClient;
  readonly host: Host;
  readonly driving: ClientDriving;
  readonly facts: ClientFacts;
  /** The response times of the client, over all scenarios. */
  readonly pace: Pace;
  /** Environment variables that give the client its own home folder and temporary folder. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Creates the context of one client scenario. No process starts before the scenario starts it. */
export function openClientContext(
  scenario: Pick<Scenario<ClientScenarioContext>, "title" | "verifies">,
  reporting: ScenarioContext,
  options: OpenClientContextOptions,
): OpenContext<ClientScenarioContext> {
  const { launch, host, facts, pace } = options;
  const driving = { ...clientDrivingDefaults, ...options.driving };
  const speed = { stepTimeoutMs: driving.stepTimeoutMs, patienceMs: PATIENCE * facts.slowestStepMs };
  const dialogues: DialogueLog[] = [];
  const requirement = scenario.verifies[0] ?? "";
  let run: ClientRun | undefined;

  const start = async (setup: AgentSetup = {}, { stderrBytes = 0 } = {}): Promise<ClientRun> => {
    if (run) throw new TypeError("A scenario starts one client.");
    const started = new ClientRun(speed, reporting.skip);
    run = started;
    const process = await launch({
      prompt: driving.prompt,
      stderrBytes,
      ...(options.env && { env: options.env }),
      onAgent: (link) => {
        const log = new DialogueLog(`connection ${dialogues.length + 1}`);
        dialogues.push(log);
        started.add(
          new ScriptedAgent(link, {
            setup,
            log,
            stepTimeoutMs: driving.stepTimeoutMs,
            pace,
            onTurn: (turn) => started.turnCame(turn),
            onRequest: (call) => started.requestCame(call),
            failNoResponse: (sent, rule) =>
              reporting.fail(rule === undefined || started.status ? requirement : rule, {
                // A client that exited broke the rule of the scenario. A client that is still running broke the rule
                // that requests get responses.
                sent,
                received: `No response within ${2 * driving.stepTimeoutMs} ms${started.silence()}.`,
                explanation: "During a turn, a client reads the agent's messages and responds to its requests.",
              }),
          }),
        );
      },
    });
    started.launched(process);
    if (driving.stdin !== undefined) process.type(`${driving.stdin}\n`);
    if (driving.closeStdin) process.closeStdin();
    return started;
  };

  const turn = async (setup?: AgentSetup): Promise<Turn> => {
    if (!facts.prompts) reporting.inconclusive(`The client never sends a prompt${facts.silence}.`);
    const started = await start(setup);
    const first = await started.nextTurn();
    if (first) return first;
    if (setup === undefined) return reporting.inconclusive(`The client sent no prompt this time${started.silence()}.`);
    await started.waitForLateTurn();
    return reporting.fail(requirement, {
      sent: `The messages of this scenario: ${scenario.title}`,
      received: `No prompt within ${driving.stepTimeoutMs} ms${started.silence()}.`,
      explanation:
        "These messages of the agent are correct, so the client sends a prompt, as it does with a plain agent.",
    });
  };

  const survived = async (ended: Turn, cited: string, after: string): Promise<void> => {
    await ended.checkAlive(after);
    ended.end();
    run?.respondToOtherPrompts();
    if (facts.exitCode === undefined || !run) return;
    const status = await run.exit();
    if (status?.code === facts.exitCode) return;
    if (!status) await run.waitForLateExit();
    reporting.fail(cited, {
      sent: `${after}, then the end of the turn`,
      received: status
        ? `The client ended with ${status.signal ?? `code ${status.code}`}${run.stderrTail()}.`
        : `The client was still running ${driving.stepTimeoutMs} ms after the end of the turn.`,
      explanation: `After a plain turn the client exits by itself, with code ${facts.exitCode}.`,
    });
  };

  const settles = async (cited: string, sent: string): Promise<void> => {
    if (facts.exitCode === undefined) {
      reporting.skip("The client doesn't exit by itself after a turn, so the kit can't see whether it still waits.");
    }
    run?.respondToOtherPrompts();
    if (!run || (await run.exit())) return;
    await run.waitForLateExit();
    reporting.fail(cited, {
      sent,
      received: `The client was still running ${driving.stepTimeoutMs} ms later.`,
      explanation:
        "After a plain turn the client exits by itself, so it seems to wait for a message that never arrives.",
    });
  };

  const needsCapability = (path: string): void => {
    if (!clientHas(facts, path)) reporting.skip(`The client doesn't advertise \`clientCapabilities.${path}\`.`);
  };

  return {
    context: {
      ...reporting,
      facts,
      driving,
      host,
      get run() {
        if (!run) throw new TypeError("No client has been started.");
        return run;
      },
      start,
      turn,
      survived,
      settles,
      needsCapability,
    },
    dialogues,
    close: async () => {
      await run?.close().catch(() => {}); // the verdict does not depend on the clean-up
      await host.dispose();
    },
  };
}
