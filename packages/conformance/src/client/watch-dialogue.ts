import type { Dialogue } from "../dialogue.js";
import type { Observation } from "../scenario.js";
import type { Finding } from "../verdict.js";
import { isObject } from "./json.js";
import { eventOfValue, type WireEvent } from "./wire-event.js";
import { WireState } from "./wire-state.js";

/** What is wrong with something that the client sent. */
export interface Fault {
  /** The rule that is broken, where it is not the first one of the watch. */
  readonly requirement?: string;
  /** What came before it from our side. */
  readonly sent?: string;
  readonly received: string;
  readonly explanation: string;
}

/** `undefined`: it is not about this; `fine`: looked at, and right. */
export type Judgement = undefined | "fine" | Fault;

/** A rule about single lines of the client, in the light of what both sides have said before. */
export interface WireRule {
  readonly id: string;
  readonly title: string;
  readonly verifies: readonly string[];
  judge(event: WireEvent, state: WireState): Judgement;
}

/** Judges everything that the client said in a dialogue by one rule. */
export function watchDialogue(rule: WireRule, dialogue: Dialogue): Observation {
  const state = new WireState();
  const findings: Finding[] = [];
  let seen = 0;
  for (const entry of dialogue.entries) {
    if ("event" in entry) continue;
    if (entry.from === "agent") {
      if ("message" in entry && isObject(entry.message)) state.agentSent(entry.message);
      continue;
    }
    const event: WireEvent =
      "raw" in entry ? { kind: "raw", problem: entry.because, text: entry.raw } : eventOfValue(entry.message);
    const judgement = rule.judge(event, state);
    state.clientSent(event);
    if (judgement === undefined) continue;
    seen++;
    if (judgement === "fine") continue;
    findings.push({
      requirement: judgement.requirement ?? rule.verifies[0] ?? "",
      sent: judgement.sent ?? "Nothing that would call for it.",
      received: judgement.received,
      explanation: judgement.explanation,
      where: { dialogue: dialogue.name, seqs: [entry.seq] },
    });
  }
  return { seen, findings };
}
