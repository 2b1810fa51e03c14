import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { Wire } from "./wire.js";

// Recorded conversations with real agents, in the folder `transcripts` of ACP_KIT_PEERS_KIT, or of a folder named
// `peers` in a folder beside the repository. They are not part of the repository; without them, only `lines.test.ts`
// runs.
const beside = fileURLToPath(new URL("../../../..", import.meta.url));
const candidates = readdirSync(beside, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => join(beside, name, "peers"));
const transcripts = [process.env.ACP_KIT_PEERS_KIT, ...candidates]
  .map((folder) => join(folder ?? "", "transcripts"))
  .find((folder) => existsSync(folder));

/** Every known deviation of the recorded messages from the schema. */
const known = [
  // The recorder sent these on purpose, to test the agents.
  "a batch",
  "an answer to nothing",
  "an extension",
  "no/such_method params: unknown method",
  "no/such_notification params: unknown method",
  "session/new params, refused: cwd: must be a string (missing)",
  "session/prompt params, refused: prompt: must be an array (got string)",
  // A method of an earlier draft, which one agent still implements.
  "session/set_model params: unknown method",
  "session/set_model results: unknown method",
  // A client sends `null` where the schema requires an object without required members.
  "fs/write_text_file results, repaired: read as {}: must be an object (got null)",
];

it("the messages of real agents have only the listed deviations", ({ skip }) => {
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
