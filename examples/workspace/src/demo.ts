// Runs an agent that works in a folder through its client, and can't access files outside the folder.
import assert from "node:assert/strict";
import { link, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linkedTransports } from "@acp-kit/client";
import { agent } from "./agent.js";
import { accesses, connectWithWorkspace, shown } from "./client.js";

const root = await realpath(await mkdtemp(join(tmpdir(), "acp-kit-workspace-")));
const cwd = join(root, "project");
await mkdir(cwd);
await writeFile(join(cwd, ".env"), "TOKEN=secret");
await link(join(cwd, ".env"), join(cwd, "linked.txt"));
await writeFile(join(root, "secret.txt"), "secret");
await symlink("..", join(cwd, "link"));

const [ours, theirs] = linkedTransports();
agent.connect(theirs);
{
  await using connection = await connectWithWorkspace(ours);
  const session = await connection.newSession({ cwd });
  const turn = session.prompt("Do it");
  const text = await turn.text();
  assert.deepEqual(await turn.result, { stopReason: "end_turn" });
  assert.match(text, /^one\ntwo\n1\n/);
  assert.doesNotMatch(text, /TOKEN=|secret\b(?!\.txt)/);
}
assert.equal(await readFile(join(cwd, "notes", "final.txt"), "utf8"), "one\ntwo\n");
assert.equal(shown.join(""), "one\ntwo\n1\n");
assert.deepEqual(
  accesses.map(({ kind, outcome, reason }) => `${kind}: ${reason ?? outcome}`),
  [
    ...[
      "write: done",
      "rename: done",
      "read: denied",
      "read: denied",
      "read: denied",
      "read: outside",
      "read: outside",
    ],
    ...["read: bad_name", "read: too_long", "read: outside"],
  ],
);
await rm(root, { recursive: true });
console.log("workspace: written, renamed, run; eight accesses outside, all refused");
