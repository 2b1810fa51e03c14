import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { commandLine } from "../../../test/program.js";
import { demoAgent, type Running, sandbox, start } from "../../../test/spawned.js";
import { noTmux, openTerminal, type Terminal } from "../../../test/tmux.js";
import type { ServeAnnouncement } from "../serve/serve-agent.js";

const { cwd, home, remove } = sandbox();
const running: Running[] = [];
const terminals: Terminal[] = [];
afterEach(() => Promise.all(terminals.splice(0).map((terminal) => terminal.close())));
afterAll(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  await Promise.all(running.map(({ ended }) => ended));
  remove();
});

const token = "given-0123456789-abcdef";

async function serve(name: string, ...words: readonly string[]) {
  const store = ["--store", join(home, name)];
  const engine = ["--engine", `sqlite:${join(home, `${name}.db`)}`];
  const all = ["serve", "--json", "--log-level", "info", ...engine, ...words, ...(await demoAgent(...store))];
  const server = await start(all, home, { cwd, env: { ACP_TOKEN: token } });
  running.push(server);
  await server.until("out", "\n");
  return { server, ...(JSON.parse(server.out()) as ServeAnnouncement) };
}

async function acpKit(...words: readonly string[]): Promise<Running> {
  const process = await start(words, home, { cwd, env: { ACP_TOKEN: token }, keepsStdin: true });
  running.push(process);
  return process;
}

/** A run whose turn lasts a minute, and the id of its session. */
async function slowRun(url: string) {
  const run = await acpKit("run", "/slow 60", "--format", "jsonl", "--url", url);
  await run.until("out", "agent_message_chunk");
  const [, sessionId = ""] = /"sessionId":"([^"]+)"/.exec(run.out()) ?? [];
  return { run, sessionId };
}

describe("a turn that another client has started", () => {
  it("is shown by chat --session with its history, and /cancel cancels it", async () => {
    const { url } = await serve("pipes");
    const { run, sessionId } = await slowRun(url);
    const chat = await acpKit("chat", "--session", sessionId, "--url", url);
    await chat.until("out", "› /slow 60");
    chat.child.stdin?.write("/cancel\n");
    const { code, out } = await run.ended;
    expect({ code, out }).toMatchObject({ code: 130, out: expect.stringContaining('"stopReason":"cancelled"') });
    await chat.until("out", "Cancelled");
    expect(chat.out()).not.toContain("No turn is running");
    chat.child.stdin?.end("/echo after\n");
    expect(await chat.ended).toMatchObject({ code: 0, out: expect.stringContaining("after") });
  });

  it("a run in the same session waits for it, and reports only its own turn", async () => {
    const { url } = await serve("waiting");
    const { run, sessionId } = await slowRun(url);
    const second = await acpKit(
      ...["run", "/echo second", "--session", sessionId, "--url", url, "--log-level", "info", "--format", "json"],
    );
    await second.until("err", "the prompt is sent after it");
    run.child.kill("SIGINT");
    const { code, out } = await second.ended;
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ text: expect.stringContaining("second"), stopReason: "end_turn" });
    expect(out).not.toContain("/slow");
  });
});

const reason = noTmux();
if (reason !== undefined) console.log(`Not run: acp-kit chat with a server in a real terminal, because ${reason}.`);

describe.skipIf(reason !== undefined)("acp-kit chat --url in a real terminal", () => {
  async function chat(...words: readonly string[]): Promise<Terminal> {
    const command = [process.execPath, await commandLine(), "chat", ...words];
    const terminal = await openTerminal(command, { cwd, env: { HOME: home, ACP_TOKEN: token } });
    terminals.push(terminal);
    return terminal;
  }

  it("Esc cancels the turn of another client, and puts the queued prompts back into the input", async () => {
    const { url } = await serve("esc");
    const { run, sessionId } = await slowRun(url);
    const { until, type, press } = await chat("--session", sessionId, "--url", url);
    await until(/› \/slow 60[\s\S]*Working \d+s · Esc cancels/);
    await type("one");
    await press("Enter");
    await until("then: one");
    await type("two");
    await press("Enter");
    await until("then: two");
    await press("Escape");
    const screen = await until("■ Cancelled");
    expect(screen).toContain("The 2 queued prompts are in the input again.");
    expect(screen).toMatch(/› one\n\s*two\n/);
    expect((await run.ended).code).toBe(130);
  });

  it("continues after the server was killed and started again: it says so, and keeps what was typed", async () => {
    const first = await serve("killed");
    const port = new URL(first.url).port;
    const { until, type, press } = await chat("--url", first.url);
    await until("Ask, or /help");
    await type("/slow 60");
    await press("Enter");
    await until("Working");
    await type("typed meanwhile");
    first.server.child.kill("SIGKILL");
    await first.server.ended;
    await until("is lost; connecting again");
    await serve("killed", "--listen", `127.0.0.1:${port}`);
    await until("The server that ran the turn ended");
    const screen = await until("again");
    expect(screen).not.toContain("The agent has ended");
    expect(screen).toContain("› typed meanwhile");
    await press("C-u");
    await type("/echo and on");
    await press("Enter");
    await until(/and on\n[\s\S]*and on/);
  });
});
