import { adds, exitsAt, failing, isUpdate, type Mutant, said, update, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const compactionWrongAgents: readonly (WrongAgent | Mutant)[] = [
  ...failing({
    "tour/compaction": exitsAt("/compact"),
    "watch/compaction-order": adds(isUpdate("compaction_update"), (message) =>
      message.params.update.status === "completed" ? [message] : [],
    ),
  }),
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
  {
    fails: "watch/schema/compaction",
    mutation: update(
      "compaction_update",
      (compaction) => compaction.status === "completed" && delete compaction.status,
    ),
    also: [],
  },
];
