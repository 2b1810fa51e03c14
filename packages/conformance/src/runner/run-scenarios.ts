import type { Dialogue } from "../dialogue.js";
import { requirementOf } from "../requirements/find-requirement.js";
import type { Scenario, ScenarioContext, Watch } from "../scenario.js";
import { Failure, type Finding, Skip, type Verdict } from "../verdict.js";
import type { OpenContext, RunScenariosOptions, ScenarioOutcome, Telling } from "./run-options.js";

/** Runs every scenario, each with processes of its own, and then lets every watch look at what was said. Never rejects. */
export async function runScenarios<Context extends ScenarioContext>(
  options: RunScenariosOptions<Context>,
): Promise<ScenarioOutcome<Context>[]> {
  const { scenarios, watches, jobs = 1, onOutcome } = options;
  const outcomes = new Map<Scenario<Context>, ScenarioOutcome<Context>>();
  const waiting = [...scenarios];
  const worker = async (): Promise<void> => {
    for (let scenario = waiting.shift(); scenario; scenario = waiting.shift()) {
      const outcome = await runOne(scenario, options);
      outcomes.set(scenario, outcome);
      onOutcome?.(outcome);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, worker));
  const ran = scenarios.flatMap((scenario) => outcomes.get(scenario) ?? []);
  const dialogues = ran.flatMap((outcome) => outcome.dialogues.map((dialogue) => named(dialogue, outcome.check.id)));
  const watched = watches.map((watch) => watchAll<Context>(watch, dialogues));
  for (const outcome of watched) onOutcome?.(outcome);
  return [...ran, ...watched];
}

async function runOne<Context extends ScenarioContext>(
  scenario: Scenario<Context>,
  { open, timeoutMs = 120_000, signal }: RunScenariosOptions<Context>,
): Promise<ScenarioOutcome<Context>> {
  const start = performance.now();
  const findings: Finding[] = [];
  const telling: Telling = {
    note: (finding) => void findings.push(checked(scenario, finding)),
    fail(finding) {
      throw new Failure(checked(scenario, finding));
    },
    skip(reason) {
      throw new Skip(reason);
    },
  };
  const end = (verdict: Verdict, dialogues: readonly Dialogue[] = []): ScenarioOutcome<Context> => ({
    check: scenario,
    verdict,
    durationMs: Math.round(performance.now() - start),
    dialogues,
  });
  if (signal?.aborted) return end({ status: "skipped", reason: "the run was stopped before" });

  const ending = new AbortController();
  let opened: OpenContext<Context> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  let verdict: Verdict | undefined;
  try {
    await Promise.race([
      (async () => {
        const context = await open(scenario, telling, ending.signal);
        if (ending.signal.aborted) return context.close(); // too late for anybody to hear of it
        opened = context;
        await scenario.run(context.context);
      })(),
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Skip(outOfTime(timeoutMs))), timeoutMs);
        onAbort = () => reject(new Skip("the run was stopped"));
        signal?.addEventListener("abort", onAbort, { once: true });
        if (signal?.aborted) onAbort(); // while the scenario was opened
      }),
    ]);
  } catch (error) {
    if (error instanceof Skip) {
      verdict = { status: "skipped", reason: error.message };
    } else if (error instanceof Failure) findings.push(error.finding);
    // Nobody is accused of what went wrong with us.
    else verdict = { status: "skipped", reason: `it could not be played to its end: ${messageOf(error)}` };
  } finally {
    clearTimeout(timer);
    if (onAbort) signal?.removeEventListener("abort", onAbort);
    ending.abort();
    await opened?.close();
  }
  if (findings.length > 0) verdict = { status: "failed", findings };
  verdict ??= { status: "passed" };
  return end(verdict, opened?.dialogues);
}

function watchAll<Context extends ScenarioContext>(
  watch: Watch,
  dialogues: readonly Dialogue[],
): ScenarioOutcome<Context> {
  const start = performance.now();
  const findings: Finding[] = [];
  const wrong: Dialogue[] = [];
  let seen = 0;
  for (const dialogue of dialogues) {
    const observation = watch.watch(dialogue);
    seen += observation.seen;
    if (observation.findings.length === 0) continue;
    wrong.push(dialogue);
    for (const finding of observation.findings) {
      const { seqs } = finding.where ?? { seqs: [] };
      findings.push(checked(watch, { ...finding, where: { dialogue: dialogue.name, seqs } }));
    }
  }
  const verdict: Verdict =
    findings.length > 0
      ? { status: "failed", findings: distinct(findings) }
      : seen > 0
        ? { status: "passed" }
        : { status: "skipped", reason: "there was nothing of that kind to be seen in any scenario" };
  const shown = new Set(verdict.status === "failed" ? verdict.findings.map(({ where }) => where?.dialogue) : []);
  return {
    check: watch,
    verdict,
    durationMs: Math.round(performance.now() - start),
    dialogues: wrong.filter(({ name }) => shown.has(name)),
  };
}

/** The same mistake in every dialogue is one mistake: the first three places of each are enough. */
function distinct(findings: readonly Finding[]): Finding[] {
  const count = new Map<string, number>();
  return findings.filter(({ requirement, explanation }) => {
    const key = `${requirement} ${explanation}`;
    count.set(key, (count.get(key) ?? 0) + 1);
    return (count.get(key) ?? 0) <= 3;
  });
}

/** What every scenario leans on: that requests are answered, and that there are sessions and turns at all. */
const basics: readonly string[] = ["RPC-04", "INIT-05", "INIT-18", "SESS-03", "PROMPT-07"];

function checked(check: { id: string; verifies: readonly string[] }, finding: Finding): Finding {
  requirementOf(finding.requirement);
  if (!check.verifies.includes(finding.requirement) && !basics.includes(finding.requirement)) {
    throw new TypeError(`${check.id} tells of ${finding.requirement}, which it doesn't claim to verify.`);
  }
  return finding;
}

function named(dialogue: Dialogue, scenario: string): Dialogue {
  return { name: `${scenario}, ${dialogue.name}`, entries: dialogue.entries };
}

function outOfTime(timeoutMs: number): string {
  return `it didn't come to its end within ${timeoutMs / 1000} s; --timeout gives it more`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
