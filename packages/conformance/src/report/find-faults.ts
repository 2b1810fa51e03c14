import type { Dialogue } from "../dialogue.js";
import { heaviestFinding, tierOfFinding } from "../heaviest-tier.js";
import { NO_RESPONSE } from "../no-response.js";
import type { Role } from "../requirements/requirement.js";
import { tiersByWeight } from "../requirements/tier.js";
import type { Finding } from "../verdict.js";
import { readConversation } from "../wire/conversation.js";
import { member } from "../wire/values.js";
import type { ReportFault, ScenarioReport } from "./report.js";

interface Group {
  readonly first: ScenarioReport;
  readonly members: ScenarioReport[];
}

/**
 * Groups failures by their cause. Two failures have the same cause if one scenario is the basis of the other (a client
 * without working terminals fails all scenarios that need terminals), or if both show the same message as wrong.
 * Requests of one method that got no response have one cause. Calls of client methods whose capability the client did
 * not advertise also have one cause.
 */
export function findFaults(
  role: Role,
  scenarios: readonly ScenarioReport[],
  basisOf: (id: string) => string | undefined,
): readonly ReportFault[] {
  const failed = scenarios.filter(({ verdict }) => verdict.status === "failed");
  const ids = new Set(failed.map(({ id }) => id));
  const dependsOnFailure = ({ id }: ScenarioReport): boolean => ids.has(basisOf(id) ?? "");
  const groups: Group[] = [];
  const byScenario = new Map<string, Group>();
  const byMessage = new Map<string, Group>();
  // The first scenario of a group represents it. So scenarios that depend on another failed scenario come last.
  for (const scenario of [...failed.filter((each) => !dependsOnFailure(each)), ...failed.filter(dependsOnFailure)]) {
    const basis = basisOf(scenario.id);
    const signatures = messagesIn(scenario, role);
    const group: Group | undefined =
      (basis === undefined ? undefined : byScenario.get(basis)) ??
      signatures.map((each) => byMessage.get(each)).find((each) => each !== undefined);
    const own = group ?? { first: scenario, members: [] };
    if (!group) groups.push(own);
    own.members.push(scenario);
    byScenario.set(scenario.id, own);
    for (const signature of signatures) if (!byMessage.has(signature)) byMessage.set(signature, own);
  }
  return groups
    .map(({ first, members }) => faultOf(first, members))
    .sort((one, other) => tiersByWeight.indexOf(one.weight) - tiersByWeight.indexOf(other.weight))
    .map((fault, index) => ({ id: `fault-${index + 1}`, ...fault }));
}

function faultOf(first: ScenarioReport, members: readonly ScenarioReport[]): Omit<ReportFault, "id"> {
  const found = [first, ...members].flatMap((scenario) =>
    findingsOf(scenario).map((finding) => ({ finding, foundBy: scenario.id })),
  );
  const findings = found.map(({ finding }) => finding);
  const rules = [...new Set(findings.map(({ requirement }) => requirement))];
  const weight = heaviestFinding(findings);
  const [representative] = found.sort((one, other) => weightOf(one.finding, weight) - weightOf(other.finding, weight));
  if (!representative) throw new TypeError(`${first.id} failed without a finding.`);
  return {
    weight,
    expected: members.every(({ expected }) => expected === true),
    ...representative,
    rules,
    scenarios: members.map(({ id }) => id),
  };
}

/** Returns 0 for a finding of the heaviest tier, else 1: a stable sort puts the representative first. */
function weightOf(finding: Finding, heaviest: ReportFault["weight"]): number {
  return tierOfFinding(finding) === heaviest ? 0 : 1;
}

function findingsOf({ verdict }: ScenarioReport): readonly Finding[] {
  return verdict.status === "failed" ? verdict.findings : [];
}

/** The rules that an agent breaks when it calls a method of a client that did not advertise it. */
const gateRules: ReadonlySet<string> = new Set(["CAP-13", "CAP-14", "CAP-15", "CAP-16", "CAP-17"]);

/** Returns the method of the finding's request. All methods that only the kit uses count as one. */
function decisiveMethod(dialogue: Dialogue | undefined, seqs: ReadonlySet<number>): string | undefined {
  const request = dialogue?.entries.find((entry) => seqs.has(entry.seq) && "message" in entry);
  const method = request && "message" in request ? member(request.message, "method") : undefined;
  if (typeof method !== "string") return undefined;
  return method.startsWith("_") ? "an unknown method" : method;
}

/** The folders of the kit, whose names differ from scenario to scenario. */
const folders = /\bacp-kit-[\w-]+/g;

/**
 * Returns, for each finding, a text that identifies the wrong message: the peer's last message among the entries that
 * the finding points to. The text begins with the method of its request, and lacks the parts that differ from run to
 * run (ids, folders, numbers).
 */
function messagesIn(scenario: ScenarioReport, role: Role): readonly string[] {
  return findingsOf(scenario).flatMap(({ where, requirement, received }) => {
    if (gateRules.has(requirement)) return ["a call without the capability"];
    const dialogue = scenario.dialogues.find(({ name }) => name === where?.dialogue);
    const seqs = new Set(where?.seqs);
    const decisive = dialogue?.entries.findLast(
      (entry) => seqs.has(entry.seq) && "message" in entry && entry.from === role,
    );
    const methodWithoutResponse = received.startsWith(NO_RESPONSE) ? decisiveMethod(dialogue, seqs) : undefined;
    if (methodWithoutResponse !== undefined) return [`no response to ${methodWithoutResponse}`];
    if (!dialogue || !decisive || !("message" in decisive)) return [];
    // Two requests may get the same wrong HTTP status for different reasons, so a status identifies no fault.
    if (member(decisive.message, "http") !== undefined) return [];
    const spoken = readConversation(dialogue).spoken.find(({ seq }) => seq === decisive.seq);
    const text = JSON.stringify(decisive.message, (name, value) => (/(?:^i|I)d$/.test(name) ? undefined : value));
    return [`${spoken?.method ?? spoken?.other?.method} ${text?.replace(folders, "folder").replace(/\d+/g, "0")}`];
  });
}
