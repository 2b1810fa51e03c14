// Acts as the user of the client: types at each prompt of the terminal, and checks the output.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { everythingAgentCommand } from "@acp-kit/everything-agent/node";

const script = fileURLToPath(new URL("./client.ts", import.meta.url));
const tsx = import.meta.resolve("tsx");
const folder = await realpath(await mkdtemp(join(tmpdir(), "acp-kit-client-")));
try {
  const file = join(folder, "a.txt");
  await writeFile(file, "one line\n");
  const { command, args } = everythingAgentCommand(["--pace", "0"]);
  const client = spawn(process.execPath, ["--import", tsx, script, command, ...args], { cwd: folder });
  const exited = once(client, "exit");
  let shown = "";
  let errors = "";
  let onOutput = (): void => {};
  client.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    onOutput();
  });
  client.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  void exited.then(() => onOutput());

  /**
   * Waits until the client's output ends with `asks`, and returns the output since the last call. Throws if the client
   * exits before.
   */
  async function read(asks: string): Promise<string> {
    while (!shown.endsWith(asks)) {
      assert.equal(client.exitCode, null, `the client ended: ${shown}${errors}`);
      await new Promise<void>((resolve) => {
        onOutput = resolve;
      });
    }
    const text = shown;
    shown = "";
    return text;
  }
  async function type(line: string, asks = "> "): Promise<string> {
    client.stdin.write(`${line}\n`);
    return read(asks);
  }

  await read("> ");
  assert.match(await type("/read a.txt"), /\[read\] .*a\.txt has 9 characters.*\(end_turn\)/s);
  assert.match(await type("/read /etc/hosts"), /could not read/);
  const question = await type("/edit a.txt", "? ");
  const [, allow = ""] = /^ {2}(\w) Allow/m.exec(question) ?? [];
  assert.match(await type(allow), /\(end_turn\)/);
  assert.match(await readFile(file, "utf8"), /^one line\n.+/);
  assert.match(await type("/run node --version"), /\[execute\].*exit code 0/s);
  assert.match(await type("look at @a.txt"), /link to a\.txt: file:/);
  client.stdin.end("Goodbye\n"); // the terminal closes while the turn runs
  assert.deepEqual(await exited, [0, null]);
  assert.equal(errors, "");
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log("client-in-60-lines: read, refused, edited, ran, attached");
