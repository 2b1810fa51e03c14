import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "vitest";
import { version2AgentWatches } from "../areas/version-2/agent.js";
import { DialogueLog } from "../dialogue.js";
import { tierOfFinding, weighs } from "../heaviest-tier.js";
import { agentWatches } from "./agent-checks.js";

// Checks recorded conversations with real agents. They are in the folder `transcripts` of the folder that
// ACP_KIT_PEERS_KIT names, or of a folder called `peers` in a folder beside the repository. The repository does not
// contain them; without them, `legal-agents.test.ts` tests the same watches.
const beside = fileURLToPath(new URL("../../../../..", import.meta.url));
const candidates = readdirSync(beside, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => join(beside, name, "peers"));

/** The faults that the recorded agents really have, by agent and rule, each checked by hand. */
const real: readonly string[] = [];

test.for([
  { version: 1, name: "transcripts", watches: agentWatches, counts: weighs },
  { version: 2, name: "transcripts-v2", watches: version2AgentWatches, counts: () => true },
])(
  "in recordings of real agents of version $version, the watches report only faults that were checked by hand",
  ({ name, watches, counts }, { expect, skip }) => {
    const transcripts = [process.env.ACP_KIT_PEERS_KIT, ...candidates]
      .map((folder) => join(folder ?? "", name))
      .find((folder) => existsSync(folder));
    if (transcripts === undefined) {
      const reason = "no recordings of real agents were found (ACP_KIT_PEERS_KIT)";
      console.log(`Not run: the watches over real agents, because ${reason}.`);
      return skip(reason);
    }
    const found = new Map<string, string>();
    let checked = 0;
    for (const file of readdirSync(transcripts).filter((name) => name.endsWith(".jsonl"))) {
      const connections: DialogueLog[] = [];
      for (const line of readFileSync(join(transcripts, file), "utf8").split("\n")) {
        if (line === "") continue;
        const { dir, msg, raw, event } = JSON.parse(line);
        const from = dir === "a2c" ? "agent" : "client";
        if (dir === "meta") {
          if (event === "spawn" || event === "respawn") connections.push(new DialogueLog(file));
          continue;
        }
        const log = connections.at(-1);
        if (!log) throw new TypeError(`${file} begins without a process.`);
        if (msg === undefined) log.raw(from, String(raw), "not JSON");
        else log.message(from, msg);
      }
      checked += connections.reduce(
        (sum, log) => sum + watches.reduce((all, each) => all + each.watch(log).checkedEntries, 0),
        0,
      );
      for (const watch of watches) {
        for (const finding of connections.flatMap((log) => watch.watch(log).findings)) {
          if (!counts(tierOfFinding(finding))) continue;
          found.set(
            `${file.split("-")[0]} ${finding.requirement}`,
            `${file}: ${finding.received} ${finding.explanation}`,
          );
        }
      }
    }
    expect(checked).toBeGreaterThan(1_000);
    expect([...found].filter(([key]) => !real.includes(key))).toEqual([]);
  },
);
