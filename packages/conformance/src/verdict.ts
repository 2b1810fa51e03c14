/** One broken rule: the message sent, the message received, and what the rule says. */
export interface Finding {
  /** The id of the broken rule; its text is in the requirements. */
  readonly requirement: string;
  /** What the test sent or did, in plain words. */
  readonly sent: string;
  /** What the peer sent, or did not send, in plain words. */
  readonly received: string;
  /** Why that breaks the rule: what was expected. */
  readonly explanation: string;
  /** Set where the finding rests on an inference, or on something the rule leaves open: then it is advice, whatever its rule weighs. */
  readonly advice?: true;
  /** The place in the dialogue: its name and the numbers (`seq`) of the decisive entries. */
  readonly where?: { readonly dialogue: string; readonly seqs: readonly number[] };
}

/** The result of a scenario, of a watch or of a rule. */
export type Verdict =
  | { readonly status: "passed" }
  /** Broken in every run. `unconfirmed`: what was seen in only one of the runs. */
  | { readonly status: "failed"; readonly findings: readonly Finding[]; readonly unconfirmed?: readonly Finding[] }
  /** Two runs of the same exchange had different outcomes; the findings are those of the run that broke a rule. */
  | { readonly status: "flaky"; readonly findings: readonly Finding[]; readonly reason: string }
  /** It does not apply: the peer does not have that part of the protocol, or never did what it is about. */
  | { readonly status: "skipped"; readonly reason: string }
  /** It applies, but the run cannot decide it: a login is missing, a limit was too short, a control failed. */
  | { readonly status: "inconclusive"; readonly reason: string }
  /** Rules only: no scenario looks at it, or none of those that do was run. Never counted as passed. */
  | { readonly status: "not tested"; readonly reason: string };

/** Thrown by {@link ScenarioContext.skip}: the scenario does not apply to this peer. */
export class Skip extends Error {
  override readonly name = "Skip";
}

/** Thrown by {@link ScenarioContext.inconclusive}: the scenario applies, and this run cannot decide it. */
export class Inconclusive extends Error {
  override readonly name = "Inconclusive";
}

/** Thrown by {@link ScenarioContext.fail}: the scenario cannot go on after this finding. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(`[${finding.requirement}] ${finding.explanation}`);
    this.finding = finding;
  }
}
