import { type PermissionPolicy, permissionPolicies } from "../../run/permission-policy.js";
import { columns } from "../../text-columns.js";
import { cleanLine } from "../text/clean.js";
import type { ChatCommand } from "./chat-command.js";

/** Maximum number of past permission decisions that `/permissions` lists. */
const maxListed = 10;

const meanings: Readonly<Record<PermissionPolicy, string>> = {
  ask: "you decide each permission request",
  allow: "everything is allowed",
  reject: "everything is rejected",
  reads: "tool calls that only read are allowed, all others are rejected",
};

export const permissions: ChatCommand = {
  name: "permissions",
  hint: "[ask|allow|reject|reads|forget]",
  summary: "show the permission policy and the decisions, or change the policy",
  run(chat, words) {
    const { ui, paint, agent, remembered } = chat;
    if (words === "forget") {
      for (const decision of remembered.decisions.snapshot) remembered.forget(decision);
      ui.print(`${paint.green("✓")} The chat forgot all remembered decisions; the agent may remember its own.`);
      return;
    }
    const policy = permissionPolicies.find((each) => each === words);
    if (words !== "" && policy === undefined)
      throw new Error(`/permissions accepts one of: ${[...permissionPolicies, "forget"].join(", ")}.`);
    if (policy !== undefined) chat.policy = policy;
    ui.print(`${paint.bold(chat.policy)}: ${meanings[chat.policy]}`);
    if (policy !== undefined) return;
    const always = remembered.decisions.snapshot.map(({ decision, title, covers }) => [
      `  ${paint.cyan(decision)}`,
      cleanLine(covers ?? ""),
      paint.dim(cleanLine(title ?? "")),
    ]);
    if (always.length > 0) ui.print("", paint.bold("Always"), ...columns(always));
    const decided = agent.permissionDecisions
      .slice(-maxListed)
      .map(({ title, toolCallId, option, by }) => [
        `  ${option === undefined ? paint.yellow("cancelled") : paint.cyan(option.kind.replaceAll("_", " "))}`,
        cleanLine(title ?? toolCallId),
        paint.dim(
          by.type === "none" ? by.reason.replaceAll("_", " ") : by.type === "person" ? "by you" : `by ${by.rule}`,
        ),
      ]);
    if (decided.length > 0) ui.print("", paint.bold("Decided"), ...columns(decided));
  },
  complete: (_chat, words) =>
    words.length > 0
      ? []
      : [
          ...permissionPolicies.map((text) => ({ text, hint: meanings[text] })),
          { text: "forget", hint: "forget the remembered decisions" },
        ],
};
