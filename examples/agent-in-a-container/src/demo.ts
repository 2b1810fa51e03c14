// The client uses its own paths, and never gets the secret that the agent repeats. For an agent in a real container,
// pass the command that starts it: `npm run demo -- docker run -i my-agent`; the project is then mounted at /workspace.
import assert from "node:assert/strict";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectAgent } from "@acp-kit/client";
import { withProxies } from "@acp-kit/proxy";
import { mapPaths, redactMessages } from "@acp-kit/proxy/middleware";
import { createRedactor } from "@acp-kit/redact";
import { spawnAgent } from "@acp-kit/stdio/node";
import { workspaceFiles } from "@acp-kit/workspace";

const script = fileURLToPath(new URL("./agent.ts", import.meta.url));
const [command = process.execPath, ...args] = process.argv.slice(2);
const isOwn = command === process.execPath;

const project = await realpath(await mkdtemp(join(tmpdir(), "acp-kit-container-")));
const secret = `sk-ant-api03-${"a1B2".repeat(12)}`;
await writeFile(join(project, "settings.env"), `API_KEY=${secret}\nREGION=eu\n`);

try {
  const agent = withProxies(spawnAgent({ command, args: isOwn ? ["--import", "tsx", script] : args }), [
    redactMessages(createRedactor()),
    mapPaths([{ client: project, agent: "/workspace" }]),
  ]);
  await using connection = await connectAgent(agent, {
    files: workspaceFiles(),
    permissions: async () => "allow_once",
  });
  const session = await connection.newSession({ cwd: project });
  const updates: unknown[] = [];
  session.onUpdate((update) => updates.push(update));
  const text = await session.prompt("Read the settings, and write a report.").text();
  if (isOwn) {
    assert.equal(await readFile(join(project, "report.md"), "utf8"), "# Report\n");
    assert.match(text, /^API_KEY=.*\nREGION=eu\n$/);
    assert.ok(!JSON.stringify(updates).includes(secret), "the client got the secret");
    assert.ok(JSON.stringify(updates).includes(join(project, "report.md")), "the client got no path of its own");
    assert.ok(!JSON.stringify(updates).includes("/workspace"), "the client got a path of the container");
  }
  console.log(text);
} finally {
  await rm(project, { recursive: true, force: true });
}
