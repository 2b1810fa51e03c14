import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import type { TestFiles } from "../agent/test-files.js";

/** An MCP server that accepts every request and logs each message. */
const mcpServer = `
const { appendFileSync } = require("node:fs");
const log = process.argv[1];
appendFileSync(log, "started " + JSON.stringify(process.env.CONFORMANCE ?? null) + "\\n");
let rest = "";
// Not readline: in Node 24 it also splits at U+2028 and U+2029.
process.stdin.setEncoding("utf8").on("data", (text) => {
  const lines = (rest + text).split("\\n");
  rest = lines.pop();
  lines.forEach(respond);
}).on("end", () => process.exit(0));
function respond(line) {
  appendFileSync(log, line + "\\n");
  let message;
  try { message = JSON.parse(line); } catch { return; }
  if (message.id === undefined) return;
  const result = message.method === "initialize"
    ? { protocolVersion: message.params?.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "conformance", version: "1.0.0" } }
    : message.method === "tools/list" ? { tools: [] } : {};
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }) + "\\n");
}
`;

/**
 * Creates the directories of one scenario, below `base` or else below the system's temporary directory.
 *
 * @param agentCwd the working directory of the agent.
 */
export async function temporaryFiles(
  agentCwd: string,
  base?: string,
): Promise<TestFiles & { removeAll(): Promise<void> }> {
  const root = base ?? (await realpath(tmpdir()));
  const box = await mkdtemp(join(root, "acp-kit-conformance-"));
  const cwd = join(box, "work");
  await mkdir(cwd);
  return {
    cwd,
    agentCwd,
    join,
    async makeDirectory(name) {
      const path = join(box, name);
      await mkdir(path, { recursive: true });
      return path;
    },
    contains: (path) => resolve(path).startsWith(`${box}${sep}`),
    read: (path) => readFile(path, "utf8").catch(() => undefined),
    async write(path, text) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    },
    mcpServer: (logPath) => ({ command: process.execPath, args: ["-e", mcpServer, logPath] }),
    remove: (path) => rm(path, { force: true }),
    removeAll: () => rm(box, { recursive: true, force: true, maxRetries: 3 }),
  };
}
