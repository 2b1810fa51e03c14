import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { Wire } from "./wire.js";

// Recorded conversations with real agents. They are not part of the repository; `lines.test.ts` stands in for them.
const folder = process.env.ACP_KIT_SHARED ?? fileURLToPath(new URL("../../../../shared", import.meta.url));
const transcripts = join(folder, "peers", "transcripts");

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
  if (!existsSync(transcripts)) {
    const reason = `no transcripts in ${transcripts}; set ACP_KIT_SHARED to the folder that has peers/transcripts`;
    console.log(`skipped: ${reason}`);
    skip(reason);
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
