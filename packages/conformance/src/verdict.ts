/** One broken rule: what was sent, what came, and what the rule says. */
export interface Finding {
  /** The id of the rule that is broken; its text is in the requirements. */
  readonly requirement: string;
  /** What we sent, or did, in plain words. */
  readonly sent: string;
  /** What the peer sent, or did not, in plain words. */
  readonly received: string;
  /** Why that breaks the rule. */
  readonly explanation: string;
  /** Where in the dialogue it shows: the name of the dialogue and the numbers (`seq`) of its entries. */
  readonly where?: { readonly dialogue: string; readonly seqs: readonly number[] };
}

/** What became of a scenario, or of a rule. */
export type Verdict =
  | { readonly status: "passed" }
  | { readonly status: "failed"; readonly findings: readonly Finding[] }
  /** It applies, perhaps, but the peer never came to the point: nothing is known. */
  | { readonly status: "skipped"; readonly reason: string }
  /** Rules only: no scenario looks at it, or none of those that do were run. Never counted as passed. */
  | { readonly status: "not tested"; readonly reason: string };

/** Thrown by {@link ScenarioContext.skip}: the scenario ends here, and nobody is to blame. */
export class Skip extends Error {
  override readonly name = "Skip";
}

/** Thrown by {@link ScenarioContext.fail}: there is no going on after this finding. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(`[${finding.requirement}] ${finding.explanation}`);
    this.finding = finding;
  }
}
