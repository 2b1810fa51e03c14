import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { missingAgentText } from "./missing-agent.js";

const folder = mkdtempSync(join(tmpdir(), "acp-kit-missing-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const bin = join(folder, "bin");
mkdirSync(bin);
for (const path of [join(bin, "agent"), join(folder, "own-agent")]) {
  writeFileSync(path, "");
  chmodSync(path, 0o755);
}

interface Given {
  readonly env?: Readonly<Record<string, string>>;
  readonly inheritEnv?: readonly string[];
}

function textOf(command: string, { env = {}, inheritEnv }: Given = {}): string | undefined {
  return missingAgentText({ command, args: [], cwd: folder, env, inheritEnv }, { PATH: bin });
}

describe.skipIf(process.platform === "win32")("the agent's program, when a server starts", () => {
  it.each<[string, string, Given]>([
    ["a name on the PATH", "agent", {}],
    ["a name on the agent's own PATH", "agent", { env: { PATH: bin } }],
    ["a name in a relative directory of the PATH", "agent", { env: { PATH: "bin" } }],
    ["a name in an empty directory of the PATH, which is the working directory", "own-agent", { env: { PATH: ":/x" } }],
    ["a path", join(bin, "agent"), {}],
    ["a path relative to the working directory", "bin/agent", {}],
    ["a name without a PATH: the system has one of its own", "agent", { inheritEnv: ["HOME"] }],
  ])("exists: %s", (_, command, given) => {
    expect(textOf(command, given)).toBeUndefined();
  });

  it.each<[string, string, Given, string]>([
    ["a name", "no-such-agent", {}, 'Can\'t start the agent "no-such-agent": there is no such program on the PATH'],
    ["a name that only the server's PATH has", "agent", { env: { PATH: "/x" } }, "no such program on the PATH"],
    ["a path", "./no-such-agent", {}, "there is no such file"],
    ["a known agent", "gemini", { env: { PATH: "/x" } }, "acp-kit agents install gemini"],
  ])("is missing: %s", (_, command, given, sentence) => {
    expect(textOf(command, given)).toContain(sentence);
  });
});
