import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentScript, binaryOf, entryOf, sha256Of, temporaryFolder } from "../../../test/fixtures.js";
import { TestServer } from "../../../test/server.js";
import { tarOf } from "../../../test/tar.js";
import { zipOf } from "../../../test/zip.js";
import type { RegistryEntry } from "../catalog/agent-registry.js";
import { AgentRegistry } from "../catalog/agent-registry.js";
import { probeAgent } from "../detect/probe-agent.js";
import type { InstallProgress } from "../install/install-progress.js";
import { launchOfInstalled } from "../resolve/launch-of.js";
import { type InstallOptions, InstallStore, openInstallStore } from "./install-store.js";
import { planUpdates } from "./plan-updates.js";

let place: ReturnType<typeof temporaryFolder>;
let server: TestServer;
let store: InstallStore;
beforeEach(async () => {
  place = temporaryFolder();
  server = await new TestServer().start();
  store = new InstallStore({ directory: join(place.path, "agents") }, { stallMs: 1_000 });
});
afterEach(async () => {
  await server.close();
  place.remove();
});

const archive = (version: string) =>
  gzipSync(tarOf([{ name: "small/agent", content: agentScript(version), mode: 0o755 }]));

/** Puts an archive on the server, and returns the registry entry of its agent. */
function served(
  version: string,
  bytes: Uint8Array = archive(version),
  more: { sha256?: string; name?: string; cmd?: string } = {},
): RegistryEntry {
  const { name = `small-${version}.tar.gz`, cmd = "./small/agent", sha256 = sha256Of(bytes) } = more;
  server.routes.set(`/${name}`, bytes);
  return entryOf(
    binaryOf({ archive: `${server.url}/${name}`, cmd, args: ["--acp"], ...(sha256 !== "" && { sha256 }) }),
    { version },
  );
}

/** Expects an empty lock file and no folder of an installation. */
async function expectNothingInstalled(): Promise<void> {
  expect(await store.list()).toEqual([]);
  const folder = join(store.directory, "small");
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
}

async function expectFailure(
  entry: RegistryEntry,
  code: string,
  message: RegExp,
  options: InstallOptions = {},
): Promise<void> {
  await expect(store.install(entry, options)).rejects.toMatchObject({
    name: "RegistryError",
    code,
    message: expect.stringMatching(message),
  });
  await expectNothingInstalled();
}

const starts = async (agent: Awaited<ReturnType<InstallStore["install"]>>) =>
  await probeAgent(launchOfInstalled(agent, process.env));

describe.skipIf(process.platform === "win32")("registry.atomic: programs that are downloaded", () => {
  it("verifies, unpacks and pins an archive, whose program starts", async () => {
    const steps: InstallProgress[] = [];
    const installed = await store.install(served("1.0.0"), { onProgress: (step) => steps.push(step) });
    expect(installed).toMatchObject({ id: "small", version: "1.0.0", kind: "binary", notes: [] });
    expect(installed.integrity).toBe(sha256Of(archive("1.0.0")));
    expect(new Set(steps.map(({ step }) => step))).toEqual(new Set(["download", "verify", "unpack"]));
    expect(steps.findLast(({ step }) => step === "download")).toMatchObject({
      receivedBytes: archive("1.0.0").length,
      totalBytes: archive("1.0.0").length,
    });
    expect(launchOfInstalled(installed, process.env).args).toEqual(["--acp"]);
    expect(await starts(installed)).toMatchObject({ speaks: true, name: "small", version: "1.0.0" });
    expect(readdirSync(installed.directory)).toEqual(["content"]);
    expect(await store.list()).toEqual([installed]);
  });

  it("installs zip archives, and programs without an archive", async () => {
    const zip = zipOf([{ name: "small/agent", content: agentScript("1.0.0"), mode: 0o100755 }]);
    expect(await starts(await store.install(served("1.0.0", zip, { name: "a.zip" })))).toMatchObject({
      version: "1.0.0",
    });
    const program = Buffer.from(agentScript("1.1.0"));
    expect(await starts(await store.install(served("1.1.0", program, { name: "agent-linux" })))).toMatchObject({
      version: "1.1.0",
    });
    const nameless = served("1.2.0", archive("1.2.0"), { name: "download" }); // recognised by its first bytes
    expect(await starts(await store.install(nameless))).toMatchObject({ version: "1.2.0" });
  });

  it.each(["constructor", "lock-file"])("installs an agent with the id %j", { timeout: 20_000 }, async (id) => {
    const { agent, source } = served("1.0.0");
    store = new InstallStore({ directory: store.directory }, { lockMs: 2_000 });
    const installed = await store.install({ agent: { ...agent, id }, source });
    expect(await store.list()).toEqual([installed]);
    await store.remove(id);
    expect(await store.list()).toEqual([]);
  });

  it("refuses an archive with a wrong checksum before unpacking", async () => {
    const entry = served("1.0.0");
    server.routes.set("/small-1.0.0.tar.gz", archive("6.6.6"));
    await expectFailure(entry, "checksum_mismatch", /but the registry expects .* was not installed/);
  });

  it("registry.pinned: without a checksum, pins the bytes and later refuses other bytes of the same version", async () => {
    const entry = served("1.0.0", archive("1.0.0"), { sha256: "" });
    const installed = await store.install(entry);
    expect(installed.notes).toEqual([expect.stringContaining(`is now pinned: ${sha256Of(archive("1.0.0"))}`)]);
    writeFileSync(join(store.directory, "small", "x"), ""); // a leftover
    rmSync(join(installed.directory, "content"), { recursive: true });
    server.routes.set("/small-1.0.0.tar.gz", archive("6.6.6"));
    await expect(store.install(entry)).rejects.toMatchObject({
      code: "checksum_mismatch",
      message: expect.stringContaining("when it was installed before"),
    });
  });

  it("registry.pinned: refuses other bytes of a version also after other versions, a rollback and a damaged installation", async () => {
    const of = (version: string) => served(version, archive(version), { sha256: "" });
    const [first, third] = [of("1.0.0"), of("1.2.0")];
    for (const entry of [first, of("1.1.0"), third, of("1.3.0")]) await store.install(entry);
    const { directory, version } = await store.rollback("small");
    expect(version).toBe("1.2.0");
    rmSync(join(directory, "content"), { recursive: true });
    expect(await store.install(of("1.4.0"))).toMatchObject({ version: "1.4.0", previous: { version: "1.3.0" } });
    const refused = { code: "checksum_mismatch", message: expect.stringContaining("when it was installed before") };
    for (const entry of [first, third]) {
      server.routes.set(`/small-${entry.agent.version}.tar.gz`, archive("6.6.6"));
      await expect(store.install(entry)).rejects.toMatchObject(refused);
    }
    const { earlier } = await store.install(of("1.1.0"));
    expect(earlier?.map(({ version }) => version)).toEqual(["1.0.0", "1.2.0", "1.3.0"]);
  });

  it("reports an incomplete download, a 404 and a truncated archive; a later installation succeeds", async () => {
    const entry = served("1.0.0");
    server.routes.set("/small-1.0.0.tar.gz", (_, response) => {
      response.writeHead(200, { "content-length": "1000" }).write("half");
      response.destroy();
    });
    await expectFailure(entry, "unreachable", /download ended|connection failed|can't be reached/);
    server.routes.delete("/small-1.0.0.tar.gz");
    await expectFailure(entry, "unreachable", /status 404.*out of date/);
    const half = served("1.0.0", archive("1.0.0").subarray(0, 200));
    await expectFailure(half, "bad_archive", /damaged or incomplete/);
    expect(await starts(await store.install(served("1.0.0")))).toMatchObject({ speaks: true });
  });

  it("installs without time limits", async () => {
    const endless = Number.POSITIVE_INFINITY;
    const fixed = { stallMs: endless, installerMs: endless, lockMs: endless };
    store = new InstallStore({ directory: store.directory }, fixed);
    expect(await store.install(served("1.0.0"))).toMatchObject({ version: "1.0.0" });
  });

  it("reports a server that stops sending, and a download over the size limit", async () => {
    const entry = served("1.0.0");
    server.routes.set("/small-1.0.0.tar.gz", (_, response) => void response.writeHead(200).write("half"));
    await expectFailure(entry, "unreachable", /sent nothing for 1000 ms/);
    store = openInstallStore({ directory: store.directory, maxDownloadBytes: 1_000 });
    server.routes.set(
      "/small-1.0.0.tar.gz",
      (_, response) => void response.writeHead(200, { "transfer-encoding": "chunked" }).end(Buffer.alloc(2_000)),
    );
    await expectFailure(entry, "too_large", /larger than 1000 bytes/);
    server.routes.set("/small-1.0.0.tar.gz", Buffer.alloc(5_000));
    await expectFailure(entry, "too_large", /larger than 1000 bytes/);
  });

  it("refuses an archive without the program, an installer, an unsafe cmd, an http: URL, and another platform", async () => {
    await expectFailure(
      served("1.0.0", archive("1.0.0"), { cmd: "./other" }),
      "bad_archive",
      /does not contain the program .\/other/,
    );
    await expectFailure(
      served("1.0.0", archive("1.0.0"), { cmd: "small" }),
      "bad_archive",
      /does not contain the program small/,
    );
    server.requests.length = 0;
    await expectFailure(served("1.0.0", archive("1.0.0"), { cmd: "../../agent" }), "unsafe_archive", /leads out/);
    await expectFailure(served("1.0.0", archive("1.0.0"), { name: "a.dmg" }), "bad_archive", /format is not supported/);
    await expectFailure(
      entryOf(binaryOf({ archive: "http://example.com/a.zip", cmd: "a" })),
      "unreachable",
      /must be an https: URL/,
    );
    await expectFailure(
      entryOf({ binary: { "plan9-mips": { archive: "https://a", cmd: "a" } } }),
      "no_distribution",
      /programs for plan9-mips/,
    );
    expect(server.requests).toEqual([]); // refused before any download
  });

  it("leaves no file of a malicious archive, inside or outside the folder", async () => {
    const evil = gzipSync(
      tarOf([
        { name: "small/agent", content: agentScript() },
        { name: "../../../evil", content: "evil" },
      ]),
    );
    await expectFailure(served("1.0.0", evil), "unsafe_archive", /leads out of its folder/);
    expect(readdirSync(place.path)).toEqual(["agents"]);
  });

  it("an aborted signal stops the download, and no file is left", async () => {
    const stop = new AbortController();
    const entry = served("1.0.0");
    server.routes.set("/small-1.0.0.tar.gz", (_, response) => {
      response.writeHead(200).write("half");
      stop.abort(new Error("enough"));
    });
    await expect(store.install(entry, { signal: stop.signal })).rejects.toThrow("enough");
    await expectNothingInstalled();
  });
});

describe.skipIf(process.platform === "win32")("versions", () => {
  const registryWith = (entry: RegistryEntry) =>
    new AgentRegistry([{ name: "test", state: "local", checkedAt: undefined, agents: [entry.agent], problems: [] }]);

  it("installs the same version only once", async () => {
    const first = await store.install(served("1.0.0"));
    expect(await store.install(served("1.0.0"))).toEqual(first);
    expect(server.requests).toHaveLength(1);
  });

  it("installs the same version again if the registry names another download", async () => {
    const [here, moved] = [served("1.0.0"), served("1.0.0", archive("1.0.0"), { name: "moved.tar.gz" })];
    await store.install(here);
    const [planned] = await planUpdates(registryWith(moved), store);
    expect(planned).toMatchObject({ change: "update", offered: "1.0.0", installed: { version: "1.0.0" } });
    expect(await store.install(moved)).toMatchObject({ from: `${server.url}/moved.tar.gz` });
    expect((await planUpdates(registryWith(moved), store))[0]?.change).toBe("none");
  });

  it("an update keeps the previous version; rollback switches between the two", async () => {
    await store.install(served("1.0.0"));
    const [planned] = await planUpdates(registryWith(served("1.1.0")), store);
    expect(planned).toMatchObject({ change: "update", offered: "1.1.0", installed: { version: "1.0.0" } });
    expect(await store.install(served("1.1.0"))).toMatchObject({ version: "1.1.0", previous: { version: "1.0.0" } });
    const back = await store.rollback("small");
    expect(back).toMatchObject({ version: "1.0.0", heldBy: "rollback" });
    expect(await starts(back)).toMatchObject({ version: "1.0.0" });
    expect((await planUpdates(registryWith(served("1.1.0")), store))[0]?.change).toBe("held");
    expect(await store.rollback("small")).toMatchObject({ version: "1.1.0" });
    expect(readdirSync(join(store.directory, "small"))).toHaveLength(2);
    await store.install(served("1.2.0"));
    expect(readdirSync(join(store.directory, "small"))).toHaveLength(2); // 1.2.0 and 1.1.0
  });

  it("plans an earlier version of the registry as a downgrade", async () => {
    await store.install(served("2.0.0"));
    expect((await planUpdates(registryWith(served("1.9.0")), store))[0]).toMatchObject({
      change: "downgrade",
      offered: "1.9.0",
    });
    expect(await store.install(served("1.9.0"))).toMatchObject({ version: "1.9.0", previous: { version: "2.0.0" } });
    expect((await planUpdates(registryWith(served("1.9.0")), store))[0]?.change).toBe("none");
    expect((await planUpdates(new AgentRegistry([]), store))[0]?.change).toBe("gone");
  });

  it("a failed update keeps the installed version", async () => {
    const installed = await store.install(served("1.0.0"));
    await expect(store.install(served("1.1.0", archive("1.1.0"), { sha256: "0".repeat(64) }))).rejects.toMatchObject({
      code: "checksum_mismatch",
    });
    expect(await store.get("small")).toEqual(installed);
    expect(await starts(installed)).toMatchObject({ version: "1.0.0" });
  });

  it("installs a pre-release version only with preview", async () => {
    const entry = served("1.0.0");
    const preview = { version: "2.0.0", distribution: served("2.0.0").agent.distribution };
    await expect(store.install(entry, { preview: true })).rejects.toMatchObject({ code: "no_distribution" });
    expect(await store.install({ ...entry, agent: { ...entry.agent, preview } }, { preview: true })).toMatchObject({
      version: "2.0.0",
    });
  });

  it("remove deletes the agent; a second remove and a rollback reject with not_installed", async () => {
    await store.install(served("1.0.0"));
    await store.remove("small");
    expect(existsSync(join(store.directory, "small"))).toBe(false);
    expect(await store.list()).toEqual([]);
    await expect(store.remove("small")).rejects.toMatchObject({ code: "not_installed" });
    await expect(store.rollback("small")).rejects.toMatchObject({ code: "not_installed" });
  });

  it("installs an agent again if its program is missing", async () => {
    const installed = await store.install(served("1.0.0"));
    rmSync(join(installed.directory, "content", "small", "agent"));
    expect(await store.isIntact(installed)).toBe(false);
    expect(await store.isIntact(await store.install(served("1.0.0")))).toBe(true);
  });
});

describe("the lock file", () => {
  it.each([
    ["not JSON", "{"],
    ["of a later version", '{ "lockfileVersion": 2, "agents": {} }'],
    ["with a path that leads elsewhere", lockWith({ folder: ".." })],
    [
      "with a program outside of the folder",
      lockWith({ launch: { file: "../../bin/sh", isNodeScript: false, args: [], env: {} } }),
    ],
    ["with an absolute program", lockWith({ launch: { file: "/bin/sh", isNodeScript: false, args: [], env: {} } })],
    ["with an invalid checksum", lockWith({ earlier: [{ version: "0.9.0", kind: "npx", from: "a" }] })],
    ["without agents", "{}"],
  ])("%s is refused, with the next step in the message", async (_, text) => {
    mkdirSync(store.directory, { recursive: true });
    writeFileSync(store.lockFile, text);
    await expect(store.list()).rejects.toMatchObject({
      code: "invalid_settings",
      message: expect.stringContaining("Repair it, or remove it"),
    });
  });

  it("is sorted and indented", async () => {
    if (process.platform === "win32") return;
    await store.install(served("1.0.0"));
    expect(readFileSync(store.lockFile, "utf8")).toMatch(
      /^\{\n {2}"lockfileVersion": 1,\n {2}"agents": \{\n {4}"small": \{\n/,
    );
  });
});

function lockWith(change: object): string {
  const launch = { file: "a", isNodeScript: false, args: [], env: {} };
  const small = {
    version: "1.0.0",
    entryVersion: "1.0.0",
    kind: "npx",
    from: "a",
    folder: "f",
    launch,
    installedAt: "2026",
    notes: [],
    name: "S",
    source: "",
  };
  return JSON.stringify({ lockfileVersion: 1, agents: { small: { ...small, ...change } } });
}
