// Writes a large file repeatedly, until it is killed.
import { join } from "node:path";
import { workspaceFiles } from "@acp-kit/workspace";

const [, , directory = ""] = process.argv;
const files = workspaceFiles({ roots: [directory] });
const { signal } = new AbortController();
for (let round = 0; ; round++) {
  const content = `${round}\n`.padEnd(8_000_000, "x");
  await files.writeTextFile?.(
    { sessionId: "s1", path: join(directory, "a.txt"), content },
    { session: undefined, signal },
  );
}
