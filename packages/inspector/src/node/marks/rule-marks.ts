import {
  agentWatches,
  citationOf,
  clientWatches,
  type DialogueEntry,
  type Finding,
  version2AgentWatches,
  version2ClientWatches,
} from "@acp-kit/conformance";
import type { RecordingEntry } from "@acp-kit/testing/recording";
import type { Mark } from "./mark.js";

/** The maximum number of checked entries: some rules compare each message with all earlier ones. */
export const MAX_CHECKED_ENTRIES = 20_000;
const MAX_MARKS = 2_000;

/** The watches of both versions of the protocol. Each finds nothing in a dialogue of the other version. */
const watches = [...agentWatches, ...clientWatches, ...version2AgentWatches, ...version2ClientWatches];

/** Checks each run of the agent in a recording by the rules that messages alone can decide. */
export function ruleMarks(entries: readonly RecordingEntry[]): readonly Mark[] {
  return [...ruleMarksInSteps(entries)].flat();
}

/** {@link ruleMarks} in steps: each yields the marks of one watch. A caller can do other work in between. */
export function* ruleMarksInSteps(entries: readonly RecordingEntry[]): Generator<readonly Mark[], void> {
  let count = 0;
  for (const dialogue of dialoguesOf(entries.slice(0, MAX_CHECKED_ENTRIES))) {
    for (const watch of watches) {
      const marks = findingsOf(watch, dialogue)
        .flatMap(marksOf)
        .slice(0, MAX_MARKS - count);
      count += marks.length;
      yield marks;
      if (count >= MAX_MARKS) return;
    }
  }
}

type Watch = (typeof agentWatches)[number];

/** Returns the findings of one watch; none if it throws, so that a defect hides no other findings. */
function findingsOf(watch: Watch, entries: readonly DialogueEntry[]): readonly Finding[] {
  try {
    return watch.watch({ name: "recording", entries }).findings;
  } catch {
    return [];
  }
}

function marksOf(finding: Finding): readonly Mark[] {
  const entry = finding.where?.seqs.at(-1);
  if (entry === undefined) return [];
  const link = citationOf(finding.requirement)?.address;
  const message = `${finding.explanation} ${finding.received}`.slice(0, 1_000);
  return [{ entry, kind: "rule", id: finding.requirement, message, ...(link !== undefined && { link }) }];
}

/** Splits a recording into dialogues, one for each run of the agent. A `seq` is an index in the recording. */
function dialoguesOf(entries: readonly RecordingEntry[]): readonly DialogueEntry[][] {
  const dialogues: DialogueEntry[][] = [[]];
  for (const [seq, entry] of entries.entries()) {
    const atMs = entry.t;
    if (entry.kind === "process" && entry.event === "started" && dialogues.at(-1)?.length !== 0) dialogues.push([]);
    if (entry.kind === "message" && !entry.leftOut) {
      dialogues.at(-1)?.push({ seq, atMs, from: entry.from, message: entry.message });
    } else if (entry.kind === "noise" && entry.text.trim() !== "") {
      dialogues.at(-1)?.push({ seq, atMs, from: entry.from, raw: entry.text, because: "not JSON" });
    }
  }
  return dialogues;
}
