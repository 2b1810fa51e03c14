import { agentWatches, citationOf, clientWatches, type DialogueEntry, type Finding } from "@acp-kit/conformance";
import type { RecordingEntry } from "@acp-kit/testing/recording";
import type { Mark } from "./mark.js";

/** The number of entries up to which the rules are checked: some of them compare each message with all before it. */
export const MAX_CHECKED_ENTRIES = 20_000;
/** The number of marks of one check. */
const MAX_MARKS = 2_000;

/** Checks a conversation against the rules of the conformance kit that messages alone can break. Each agent process is a dialogue of its own. */
export function ruleMarks(entries: readonly RecordingEntry[]): readonly Mark[] {
  const marks: Mark[] = [];
  for (const dialogue of dialoguesOf(entries.slice(0, MAX_CHECKED_ENTRIES))) {
    for (const watch of [...agentWatches, ...clientWatches]) {
      for (const finding of findingsOf(watch, dialogue)) {
        if (marks.length >= MAX_MARKS) return marks;
        marks.push(...marksOf(finding));
      }
    }
  }
  return marks;
}

type Watch = (typeof agentWatches)[number];

/** A watch reads what an arbitrary peer sent: a defect of it must not hide the others. */
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

/** The dialogues of a recording; the number of an entry is its index in the recording. */
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
