import type { PlanEntry } from "@acp-kit/types";
import type { EverythingCommand } from "../command.js";

const steps = [
  { content: "Read the code", priority: "high" },
  { content: "Change the code", priority: "medium" },
  { content: "Run the tests", priority: "low" },
] as const;

/** Sends a plan, then updates of the plan with new statuses and new entries. */
export const plan: EverythingCommand = {
  name: "plan",
  description: "Send a plan whose entries advance from pending to completed, and add one entry",
  async play(scene) {
    let entries: readonly Omit<PlanEntry, "status">[] = steps;
    for (let done = 0; done <= entries.length; done += 1) {
      if (done === 2) entries = [...steps, { content: "Fix what the tests found", priority: "high" }];
      await scene.turn.plan(entries.map((entry, index) => ({ ...entry, status: statusAt(index, done) })));
      await scene.step();
    }
    await scene.sendText("The plan is done.");
  },
};

function statusAt(index: number, done: number): PlanEntry["status"] {
  if (index < done) return "completed";
  return index === done ? "in_progress" : "pending";
}
