import { agentRequests } from "@acp-kit/types";
import type { Dialogue } from "../dialogue.js";
import { isObject } from "../wire/values.js";

/** Returns the methods of version 1 that the client called in the dialogues of a run, in alphabetical order. */
export function calledMethods(outcomes: readonly { readonly dialogues: readonly Dialogue[] }[]): readonly string[] {
  const called = new Set<string>();
  for (const { dialogues } of outcomes) {
    for (const { entries } of dialogues) {
      for (const entry of entries) {
        if (!("message" in entry) || entry.from !== "client" || !isObject(entry.message)) continue;
        const { id, method } = entry.message;
        if (id !== undefined && typeof method === "string" && Object.hasOwn(agentRequests, method)) called.add(method);
      }
    }
  }
  return [...called].sort();
}
