import type { CallDecision } from "@acp-kit/agent";
import type { PermissionOption } from "@acp-kit/types";
import type { EverythingCommand } from "../command.js";
import type { Scene } from "../scene.js";
import { countOf } from "./count-of.js";

/**
 * Options of all four kinds. The ids of the options differ from their kinds, so that a test finds clients that confuse
 * the two.
 */
export const allOptions: readonly PermissionOption[] = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "yes-from-now-on", name: "Always allow", kind: "allow_always" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
  { optionId: "no-from-now-on", name: "Always reject", kind: "reject_always" },
];

/** Sends a permission request, or several at the same time, and shows the outcomes. */
export const permission: EverythingCommand = {
  name: "permission",
  description:
    "Request permission with all four kinds of options and show the choice; optionally several requests at once",
  hint: "[requests]",
  async play(scene) {
    const count = countOf(scene.args, { fallback: 1, most: 5 });
    const asked = Array.from({ length: count }, (_, index) => ask(scene, `Do a dangerous thing, number ${index + 1}`));
    const decisions = await Promise.all(asked);
    for (const [index, decision] of decisions.entries())
      scene.sendText(`Number ${index + 1}: ${describeDecision(decision)}`);
  },
};

/** Describes the decision about a request. */
export function describeDecision({ allowed, option }: CallDecision): string {
  if (option === undefined) return "nothing was chosen, so it is not allowed.";
  return `you chose "${option.name}" (${option.kind}), so it is ${allowed ? "allowed" : "not allowed"}.`;
}

async function ask(scene: Scene, title: string): Promise<CallDecision> {
  const call = scene.turn.toolCall({ toolCallId: scene.callId(), kind: "other", title, status: "pending" });
  const decision = await call.requestPermission(allOptions);
  if (decision.allowed) {
    await call.start(); // [TOOL-08]
    await call.complete();
  } else {
    await call.fail("Not allowed");
  }
  return decision;
}
