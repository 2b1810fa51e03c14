import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { Wire } from "./wire.js";

// Recorded conversations with real agents: ACP_KIT_PEERS_KIT is the folder that has them in `transcripts`; else a folder called `peers` is looked for
// in the folders beside the repository. They are not part of it; `lines.test.ts` stands in for them.
const beside = fileURLToPath(new URL("../../../..", import.meta.url));
const candidates = readdirSync(beside, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => join(beside, name, "peers"));
const transcripts = [process.env.ACP_KIT_PEERS_KIT, ...candidates]
  .map((folder) => join(folder ?? "", "transcripts"))
  .find((folder) => existsSync(folder));

/** Every way in which the recorded messages are not what the schema says. */
const known = [
  // Sent on purpose, to see what the agents do.
  "a batch",
  "an answer to nothing",
  "an extension",
  "no/such_method params: unknown method",
  "no/such_notification params: unknown method",
  "session/new params, refused: cwd: must be a string (missing)",
  "session/prompt params, refused: prompt: must be an array (got string)",
  // A method of an earlier draft, which one agent still has.
  "session/set_model params: unknown method",
  "session/set_model results: unknown method",
  // A client that answers `null` where the schema says an object without required members.
  "fs/write_text_file results, repaired: read as {}: must be an object (got null)",
];

it("reads what real agents said, with every departure known by name", ({ skip }) => {
  if (transcripts === undefined) {
    const reason = "no recordings of real agents were found (ACP_KIT_PEERS_KIT)";
    console.log(`Not run: the recorded messages of real agents, because ${reason}.`);
    return skip(reason);
  }
  const found = new Set<string>();
  let messages = 0;
  for (const name of readdirSync(transcripts).filter((file) => file.endsWith(".jsonl"))) {
    const wire = new Wire();
    for (const line of readFileSync(join(transcripts, name), "utf8").split("\n")) {
      const { dir, msg } = line === "" ? {} : JSON.parse(line);
      if (msg === undefined || (dir !== "a2c" && dir !== "c2a")) continue;
      messages++;
      for (const departure of wire.read(dir === "a2c" ? "agent" : "client", msg)) found.add(departure);
    }
  }
  expect([...found].sort()).toEqual([...known].sort());
  expect(messages).toBeGreaterThan(1000);
});
