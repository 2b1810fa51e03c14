import { adds, exitsAt, isUpdate, type Mutant, said, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const compactionWrongAgents: readonly (WrongAgent | Mutant)[] = [
  {
    rule: "COMPACT-02",
    does: "uses the id of a compaction again",
    shows: ["tour/compaction", "watch/compaction-order"],
    mutation: adds(isUpdate("compaction_update"), (message) =>
      message.params.update.status === "completed"
        ? [said(message, { ...message.params.update, status: "in_progress" })]
        : [],
    ),
  },
  { fails: "tour/compaction", mutation: exitsAt("/compact") },
  {
    fails: "watch/schema/compaction",
    mutation: update(
      "compaction_update",
      (compaction) => compaction.status === "completed" && delete compaction.status,
    ),
    also: [],
  },
  {
    fails: "watch/compaction-order",
    mutation: adds(isUpdate("compaction_update"), (message) =>
      message.params.update.status === "completed" ? [message] : [],
    ),
  },
];
