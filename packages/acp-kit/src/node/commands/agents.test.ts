import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { run as runHere } from "../../../test/fake-host.js";
import { rawAgent, sandbox, start } from "../../../test/spawned.js";

const raw = fileURLToPath(new URL("../../../test/fixtures/raw-agent.mjs", import.meta.url));
const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch === "x64" ? "x86_64" : "aarch64"}`;
let place: ReturnType<typeof sandbox>;
let server: Server;
let requests = 0;
let program = "";
beforeAll(async () => {
  program = `#!/bin/sh\nexec "${process.execPath}" "${raw}" noisy "$@"\n`;
  server = createServer((_, response) => {
    requests += 1;
    response.end(program);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void server.close());

let registry: string;
beforeEach(() => {
  place = sandbox();
  requests = 0;
  registry = join(place.cwd, "registry.json");
  offer("1.0.0");
  return () => place.remove();
});

function offer(version: string, more: object = {}, otherKinds: object = {}): void {
  const { port } = server.address() as AddressInfo;
  const target = { archive: `http://127.0.0.1:${port}/noisy-${version}`, cmd: "./noisy" };
  const noisy = {
    id: "noisy",
    name: "Noisy",
    description: "A noisy agent",
    version,
    distribution: { ...otherKinds, binary: { [platform]: target } },
  };
  writeFileSync(registry, JSON.stringify({ version: "1.0.0", agents: [noisy], ...more }));
}

const path = () => [join(place.cwd, "bin"), dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
const run = async (words: readonly string[], more: Record<string, string> = {}, stdin = "") =>
  await (
    await start(words, place.home, { cwd: place.cwd, stdin, env: { ACP_REGISTRY: registry, PATH: path(), ...more } })
  ).ended;

describe.skipIf(process.platform === "win32")("agents by their names", () => {
  it("run installs a missing agent, reports that, and starts it; the second run does not read the registry", async () => {
    const first = await run(["run", "--agent", "noisy", "Hello"]);
    expect(first).toMatchObject({ code: 0 });
    expect(first.err).toMatch(
      /^noisy is not installed yet; installing it in .*\.local\/share\/acp-kit\/agents\ndownloading noisy-1\.0\.0\n/,
    );
    expect(first.err).toContain("is now pinned");
    writeFileSync(registry, "gone");
    const second = await run(["run", "-a", "noisy", "Hello"]);
    expect(second).toMatchObject({ code: 0, out: first.out });
    expect(second.err).not.toContain("installing");
    expect(requests).toBe(1);
  });

  it("run accepts a name as its first word, and reports an unknown one", async () => {
    await run(["agents", "install", "noisy"]);
    expect(await run(["run", "noisy", "Hello", "there"])).toMatchObject({ code: 0 });
    expect(await run(["run", "noisy", "--prompt", "Hello"])).toMatchObject({ code: 0 });
    const { code, err } = await run(["run", "nosy", "Hello"]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('"nosy"') });
  });

  it("chat, doctor and record accept a name, and the agent's arguments after --", async () => {
    await run(["agents", "install", "noisy"]);
    const doctor = JSON.parse((await run(["doctor", "--json", "noisy", "--", "extra"])).out);
    expect(doctor).toMatchObject({
      agent: { name: "noisy" },
      command: [expect.stringMatching(/content\/noisy$/), "extra"],
    });
    expect((await run(["chat", "noisy"], {}, "hello\n/quit\n")).code).toBe(0);
    const recording = join(place.cwd, "r.jsonl");
    expect((await run(["record", "--out", recording, "noisy"], {}, "")).code).toBe(0);
    expect(existsSync(recording)).toBe(true);
  });

  it("an error for an unknown name lists similar names and how to add one; a program on the PATH is started", async () => {
    const { code, err } = await run(["chat", "nosy"]);
    expect(code).toBe(2);
    expect(err).toMatch(
      /error: There is no agent "nosy"\. The nearest names are noisy, .*To add an agent of your own, put it into .*\.config\/acp-kit\/agents\.json/,
    );
    mkdirSync(join(place.cwd, "bin"));
    writeFileSync(join(place.cwd, "bin", "own-agent"), program);
    chmodSync(join(place.cwd, "bin", "own-agent"), 0o755);
    expect(JSON.parse((await run(["doctor", "--json", "own-agent"])).out)).toMatchObject({ agent: { name: "noisy" } });
  });

  it("list --check sends no request, also for a name in the settings that refers to an agent that is not installed", async () => {
    const file = join(place.home, ".config", "acp-kit", "agents.json");
    mkdirSync(dirname(file), { recursive: true });
    const { port } = server.address() as AddressInfo;
    const registries = [{ url: `http://127.0.0.1:${port}/registry.json` }];
    writeFileSync(file, JSON.stringify({ agents: { mine: { agent: "noisy" } }, registries }));
    const { code, out } = await run(["agents", "list", "--installed", "--check", "--json"], { ACP_REGISTRY: "" });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject([
      { id: "mine", check: { ok: false, error: expect.stringContaining('There is no agent "noisy"') } },
    ]);
    expect(requests).toBe(0);
  });

  it("list and doctor work while the registry of ACP_REGISTRY was never read, and list reports that", async () => {
    await run(["agents", "install", "noisy"]);
    const { port } = server.address() as AddressInfo;
    const unread = { ACP_REGISTRY: `http://127.0.0.1:${port}/registry.json` };
    const list = await run(["agents", "list", "--installed", "--json"], unread);
    expect(JSON.parse(list.out)).toMatchObject([{ id: "noisy" }]);
    expect(list).toMatchObject({ code: 0, err: expect.stringContaining("registry.json can't be used: ") });
    expect(await run(["agents", "doctor"], unread)).toMatchObject({ code: 0 });
    expect(requests).toBe(1); // the download of the installation
  });

  it("list removes escape sequences from the version of a program on the PATH", async () => {
    mkdirSync(join(place.cwd, "bin"));
    writeFileSync(join(place.cwd, "bin", "gemini"), program);
    chmodSync(join(place.cwd, "bin", "gemini"), 0o755);
    const manifest = { version: "1.0\u001b[2J", bin: "bin/gemini" };
    writeFileSync(join(place.cwd, "package.json"), JSON.stringify(manifest));
    const { code, out } = await run(["agents", "list", "--installed"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}gemini +1\.0 +on the PATH: /m);
  });

  it("refuses two names, and a name with a URL", async () => {
    expect(await run(["chat", "--agent", "noisy", "other"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("both name an agent"),
    });
    expect(await run(["doctor", "--agent", "noisy", "--url", "https://a"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("both name an agent"),
    });
  });

  it("chat without an agent lists the installed agents", async () => {
    expect(await run(["chat"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("No agent is installed. Install one with `acp-kit agents install gemini`"),
    });
    await run(["agents", "install", "noisy"]);
    expect(await run(["chat"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("These are installed: noisy. Give a name, as in: acp-kit chat noisy"),
    });
  });

  it("uses the command and the permissions of the user's settings, and refuses an unknown policy", async () => {
    const [, command = "", ...args] = rawAgent("noisy");
    const file = join(place.home, ".config", "acp-kit", "agents.json");
    mkdirSync(dirname(file), { recursive: true });
    const write = (permissions: string) =>
      writeFileSync(file, JSON.stringify({ agents: { mine: { command, args, permissions } } }));
    write("reads");
    expect(await run(["run", "-a", "mine", "Hello"])).toMatchObject({ code: 0 });
    write("some");
    expect(await run(["run", "-a", "mine", "Hello"])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/agents\.json: permissions must be one of .*, not "some"/),
    });
  });
});

describe.skipIf(process.platform === "win32")("acp-kit agents", () => {
  it("list shows the agents of this machine and of the registry, without a request", async () => {
    expect((await run(["agents"])).out).toMatch(
      /There is no agent on this machine\.\n\nTo install\n {2}noisy +1\.0\.0 +Noisy\n/,
    );
    await run(["agents", "install", "noisy"]);
    expect((await run(["agents", "list"])).out).toMatch(/On this machine\n {2}noisy +1\.0\.0 +installed: /);
    expect(JSON.parse((await run(["agents", "--json", "--installed"])).out)).toMatchObject([
      { id: "noisy", origin: "installed", version: "1.0.0" },
    ]);
  });

  it("search and info show agents of the registry", async () => {
    expect(await run(["agents", "search", "NOIS"])).toMatchObject({ code: 0, out: "noisy  1.0.0  A noisy agent\n" });
    expect(await run(["agents", "search", "quiet"])).toMatchObject({ code: 1, out: "No agent matches.\n" });
    expect((await run(["agents", "info", "noisy"])).out).toMatch(
      /agent +Noisy \(noisy\) 1\.0\.0\nabout +A noisy agent\nprograms for +\S+\n/,
    );
    expect(JSON.parse((await run(["agents", "info", "--json", "noisy"])).out)).toMatchObject({
      agent: { id: "noisy" },
      installed: null,
    });
  });

  it.each(["info", "install"])("%s of an unknown agent lists similar names and how to add one", async (command) => {
    const { code, err } = await run(["agents", command, "nosy"]);
    expect(code).toBe(2);
    expect(err).toMatch(
      /error: No registry has an agent "nosy"\. The nearest names are noisy\. To add an agent of your own, put it into .*\.config\/acp-kit\/agents\.json: \{ "agents": \{ "nosy": \{ "command": "…", "args": \[\] \} \} \}\n$/,
    );
  });

  it("update keeps the kind of distribution that the user chose", async () => {
    await run(["agents", "install", "noisy"]);
    offer("1.1.0", {}, { npx: { package: "noisy@1.1.0" } });
    expect(await run(["agents", "update"])).toMatchObject({ code: 0 });
    expect(JSON.parse((await run(["agents", "info", "--json", "noisy"])).out)).toMatchObject({
      installed: { version: "1.1.0", kind: "binary" },
    });
  });

  it("install, update, rollback and remove change the installed version", async () => {
    expect(await run(["agents", "install", "noisy"])).toMatchObject({
      code: 0,
      out: "noisy 1.0.0 is installed. Start it: acp-kit chat noisy\n",
    });
    offer("1.1.0");
    expect((await run(["agents", "update", "--dry-run"])).out).toBe("noisy  1.0.0 → 1.1.0\n");
    expect(JSON.parse((await run(["agents", "update", "--json"])).out)).toEqual([
      { id: "noisy", from: "1.0.0", to: "1.1.0", change: "update" },
    ]);
    expect((await run(["agents", "update"])).out).toBe("noisy  1.1.0  up to date\n");
    expect((await run(["agents", "rollback", "noisy"])).out).toMatch(/^noisy is 1\.0\.0 again, instead of 1\.1\.0\./);
    expect((await run(["agents", "update"])).out).toBe(
      "noisy  1.0.0  version chosen by `acp-kit agents rollback noisy`; to allow updates again: acp-kit agents install noisy; the registry has 1.1.0\n",
    );
    expect(JSON.parse((await run(["agents", "update", "--json"])).out)).toEqual([
      { id: "noisy", from: "1.0.0", to: "1.1.0", change: "held", heldBy: "rollback" },
    ]);
    expect((await run(["agents", "info", "noisy"])).out).toContain(
      "installed     1.0.0 (version chosen by `acp-kit agents rollback noisy`; to allow updates again: acp-kit agents install noisy), ",
    );
    expect(await run(["agents", "install", "noisy"])).toMatchObject({ code: 0 });
    expect((await run(["agents", "update"])).out).toBe("noisy  1.1.0  up to date\n");
    await run(["agents", "install", "noisy@1.1.0"]);
    offer("1.2.0");
    expect((await run(["agents", "update"])).out).toBe(
      "noisy  1.1.0  version chosen by `acp-kit agents install noisy@1.1.0`; to allow updates again: acp-kit agents install noisy; the registry has 1.2.0\n",
    );
    offer("1.1.0");
    await run(["agents", "install", "noisy"]);
    offer("1.0.5");
    expect((await run(["agents", "update"])).out).toMatch(/1\.1\.0 → 1\.0\.5 +earlier than the installed version/);
    await run(["agents", "update", "--downgrade"]);
    expect((await run(["agents", "update"])).out).toBe("noisy  1.0.5  up to date\n");
    expect((await run(["agents", "remove", "noisy"])).out).toBe("noisy is removed.\n");
    expect(await run(["agents", "remove", "noisy"])).toMatchObject({ code: 2 });
    expect(await run(["agents", "update", "noisy"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("not installed"),
    });
  });

  it("uses a registry of a later version, and reports the version", async () => {
    offer("1.0.0", { version: "7.0.0" });
    const { code, out, err } = await run(["agents", "search"]);
    expect(code).toBe(0);
    expect(out).toContain("noisy");
    expect(err).toContain("the version 7.0.0 is later than 1, the supported version; unknown parts are ignored");
  });

  it("doctor reports notes of an agent, an agent that does not start, and an unknown agent", async () => {
    await run(["agents", "install", "noisy"]);
    expect(await run(["agents", "doctor"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^noisy {2}✓ noisy 1\.2\.3, protocol 1, \d+ ms\n +! The registry has no checksum/),
    });
    const lock = JSON.parse(readFileSync(join(place.home, ".local/share/acp-kit/agents/agents.lock.json"), "utf8"));
    const file = join(place.home, ".local/share/acp-kit/agents/noisy", lock.agents.noisy.folder, "content/noisy");
    writeFileSync(file, "#!/bin/sh\necho broken >&2; exit 4\n");
    expect(await run(["agents", "doctor", "noisy"])).toMatchObject({ code: 3, out: expect.stringContaining("✗ ") });
    writeFileSync(registry, JSON.stringify({ version: "1.0.0", agents: [] }));
    expect(await run(["agents", "doctor", "nothing"])).toMatchObject({
      code: 3,
      out: expect.stringContaining('There is no agent "nothing"'),
    });
  });

  it("reports an invalid lock file in one sentence, with exit code 2", async () => {
    const folder = join(place.home, ".local/share/acp-kit/agents");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "agents.lock.json"), "{");
    expect(await run(["agents"])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^error: The lock file .* is not JSON/),
    });
  });

  it("--help lists the subcommands", async () => {
    const { out } = await runHere(["agents", "--help"]);
    for (const name of ["list", "search", "info", "install", "update", "rollback", "remove", "doctor"])
      expect(out).toContain(`  ${name} `);
  });
});
