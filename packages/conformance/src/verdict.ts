/** One broken rule: the message sent, the message received, and the expected behaviour. */
export interface Finding {
  /** The id of the broken rule; its text is in the requirements. */
  readonly requirement: string;
  /** The message or action of the test, in plain words. */
  readonly sent: string;
  /** The reaction of the peer, or the missing reaction, in plain words. */
  readonly received: string;
  /** The expected behaviour: the text of the rule, or a more exact sentence. */
  readonly explanation: string;
  /** How to fix the peer, if the remedy of the rule is about another way to break it. */
  readonly remedy?: string;
  /** Set if the finding depends on an inference, or the rule leaves a question open: it is advice then. */
  readonly advice?: true;
  /** The name of the dialogue, and the numbers (`seq`) of the entries that show the broken rule. */
  readonly where?: { readonly dialogue: string; readonly seqs: readonly number[] };
}

/** The result of a scenario, of a watch or of a rule. */
export type Verdict =
  | { readonly status: "passed" }
  /** Every run broke these rules. `unconfirmed` has the findings that only one of two runs showed. */
  | { readonly status: "failed"; readonly findings: readonly Finding[]; readonly unconfirmed?: readonly Finding[] }
  /** Two runs of the same exchange had different outcomes; the findings are those of the run that broke a rule. */
  | { readonly status: "flaky"; readonly findings: readonly Finding[]; readonly reason: string }
  /** The scenario does not apply: the peer does not have that part of the protocol, or never used it. */
  | { readonly status: "skipped"; readonly reason: string }
  /** The run cannot decide it: a login is missing, a limit was too short, or a control failed. */
  | { readonly status: "inconclusive"; readonly reason: string }
  /** Only for rules: no scenario that ran checks the rule. Never counts as passed. */
  | { readonly status: "not tested"; readonly reason: string };

/** Thrown by {@link ScenarioContext.skip}: the scenario does not apply to this peer. */
export class Skip extends Error {
  override readonly name = "Skip";
}

/** Thrown by {@link ScenarioContext.inconclusive}: the scenario applies, and this run cannot decide it. */
export class Inconclusive extends Error {
  override readonly name = "Inconclusive";
}

/** Thrown by {@link ScenarioContext.fail}: the scenario can't continue after this finding. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(`[${finding.requirement}] ${finding.explanation}`);
    this.finding = finding;
  }
}
