import { findingOf } from "../../finding.js";
import { heaviestTier } from "../../heaviest-tier.js";
import type { Role } from "../../requirements/requirement.js";
import type { Watch } from "../../scenario.js";
import { readConversation } from "../../wire/conversation.js";
import { shown } from "../../wire/values.js";
import { valueChecks } from "./checks.js";
import { version2Rules } from "./rules.js";
import { readWire } from "./wire.js";

/** Creates a watch for each rule of a role that single values keep or break. It reads dialogues in version 2. */
export function version2Watches(role: Role): readonly Watch[] {
  return version2Rules.flatMap(({ id, binds, rule }): Watch[] => {
    const check = valueChecks[id];
    if (!check || (binds !== role && binds !== "both")) return [];
    const [about, keeps] = check;
    return [
      {
        id: `version-2/${id}`,
        title: rule,
        verifies: [id],
        kind: "watch",
        role,
        tier: heaviestTier([id]),
        watch(dialogue) {
          const wire = readWire(readConversation(dialogue));
          const items = wire ? about(wire, role) : [];
          const broken = wire ? items.filter((item) => !keeps(item.value, item, wire)) : [];
          const findings = broken.map(({ value, seq, message }) =>
            findingOf(id, {
              sent: message.other?.method ?? "no message for this check alone: it reads all messages in version 2",
              received: shown(value),
              where: { dialogue: dialogue.name, seqs: [seq] },
            }),
          );
          return { checkedEntries: items.length, findings };
        },
      },
    ];
  });
}
