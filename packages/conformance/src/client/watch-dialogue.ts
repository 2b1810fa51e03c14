import { readWire } from "../areas/version-2/wire.js";
import type { Dialogue } from "../dialogue.js";
import { findingOf } from "../finding.js";
import type { Observation } from "../scenario.js";
import type { Finding } from "../verdict.js";
import { readConversation } from "../wire/conversation.js";
import { isObject } from "../wire/values.js";
import { eventOfValue, type WireEvent } from "./wire-event.js";
import { WireState } from "./wire-state.js";

/** A mistake in a message of the client. */
export interface Fault {
  /** The broken rule, if it is not the first rule of the watch. */
  readonly requirement?: string;
  /** The data from the kit that the client's message contradicts, such as the advertised capabilities. */
  readonly sent?: string;
  readonly received: string;
  /** @defaultValue the text of the rule */
  readonly explanation?: string;
  /** How to fix the client, if the remedy of the rule is about another way to break it. */
  readonly remedy?: string;
}

/** The result of a rule for one line: `undefined` if it does not apply, `fine` if the line keeps it. */
export type Judgement = undefined | "fine" | Fault;

/** A rule about single lines of the client. `judge` gets a line, and the state of the connection before this line. */
export interface WireRule {
  readonly title: string;
  readonly verifies: readonly string[];
  judge(event: WireEvent, state: WireState): Judgement;
  /** Returns whether a line shows that the client uses the feature that the rule is about. */
  uses?(event: WireEvent): boolean;
  /** Why the watch is skipped, and not passed, for a client that never uses the feature. */
  readonly unlessUsed?: string;
}

/** Checks every line of the client in a dialogue against one rule. */
export function watchDialogue(rule: WireRule, dialogue: Dialogue): Observation {
  // Version 2 has watches of its own.
  if (readWire(readConversation(dialogue))) return { checkedEntries: 0, findings: [] };
  const state = new WireState();
  const findings: Finding[] = [];
  let checkedEntries = 0;
  let isUsed = false;
  for (const entry of dialogue.entries) {
    if ("event" in entry) continue;
    if (entry.from === "agent") {
      if ("message" in entry && isObject(entry.message)) state.agentSent(entry.message);
      continue;
    }
    const event: WireEvent =
      "raw" in entry ? { kind: "raw", problem: entry.because, text: entry.raw } : eventOfValue(entry.message);
    const judgement = rule.judge(event, state);
    isUsed ||= rule.uses?.(event) === true;
    state.clientSent(event);
    if (judgement === undefined) continue;
    checkedEntries++;
    if (judgement === "fine") continue;
    const { requirement = rule.verifies[0] ?? "", sent = "No message that requires it.", ...evidence } = judgement;
    const where = { dialogue: dialogue.name, seqs: [entry.seq] };
    findings.push(findingOf(requirement, { ...evidence, sent, where }));
  }
  return { checkedEntries, findings, ...(isUsed && { uses: true }) };
}
