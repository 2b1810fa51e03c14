import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { RawClient } from "../../test/raw-client.js";
import { ann, bob } from "../../test/rig.js";
import { startRig } from "../../test/start-rig.js";
import { folderWithin } from "./folder-within.js";

const box = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-folders-")));
afterAll(() => rmSync(box, { recursive: true }));
for (const folder of ["ann/project", "bob", "ann-2"]) mkdirSync(join(box, folder), { recursive: true });
writeFileSync(join(box, "ann/file"), "");
symlinkSync(join(box, "bob"), join(box, "ann/to-bob"));
symlinkSync(join(box, "ann/project"), join(box, "ann/to-project"));
symlinkSync(join(box, "ann"), join(box, "link-to-ann"));

const folder = folderWithin(({ user }) => join(box, user));

describe("the folder of a session", () => {
  test.each([
    ["/", "ann"],
    [join(box, "ann"), "ann"],
    [join(box, "ann/project"), "ann/project"],
    [join(box, "ann/project/.."), "ann"],
    [join(box, "ann/to-project"), "ann/project"],
    [join(box, "link-to-ann/project"), "ann/project"],
    ["C:\\", "ann"],
  ])("%s is allowed", async (path, resolved) => {
    expect(await folder(ann, path)).toBe(join(box, resolved));
  });

  test.each([
    join(box, "bob"),
    join(box, "ann-2"),
    join(box, "ann/to-bob"),
    join(box, "ann/../bob"),
    join(box, "ann/missing"),
    join(box, "missing"),
    join(box, "ann/file"),
    join(box, ".."),
    "project",
    "",
    "/etc",
  ])("%s is refused, with the user's own folder", async (path) => {
    await expect(folder(ann, path)).rejects.toMatchObject({
      code: -32602,
      data: { reason: "folder_not_allowed", folder: join(box, "ann") },
    });
  });
});

describe("a gateway with folders", () => {
  async function client(principal = ann) {
    const rig = await startRig({ folder });
    const raw: RawClient = await rig.client(principal);
    const open = (method: string, params: object) =>
      raw.connection.request(method, { mcpServers: [], ...params }) as Promise<{ readonly sessionId: string }>;
    return { rig, raw, open };
  }

  test("serve.folders: gives the agent the folder of the user, and lists it", async () => {
    const { rig, open, raw } = await client();
    const { sessionId } = await open("session/new", { cwd: "/" });
    expect(rig.agent.received.at(-1)).toMatchObject({ method: "session/new", params: { cwd: join(box, "ann") } });
    expect(await raw.connection.request("session/list", {})).toMatchObject({
      sessions: [{ sessionId, cwd: join(box, "ann") }],
    });
  });

  test("serve.folders: refuses other folders in every request that opens a session, and additional folders outside", async () => {
    const { open } = await client();
    const { sessionId } = await open("session/new", { cwd: join(box, "ann/project") });
    const outside = { data: { reason: "folder_not_allowed" } };
    const cwd = join(box, "bob");
    await expect(open("session/new", { cwd })).rejects.toMatchObject(outside);
    await expect(open("session/load", { sessionId, cwd })).rejects.toMatchObject(outside);
    await expect(open("session/resume", { sessionId, cwd })).rejects.toMatchObject(outside);
    await expect(open("session/new", { cwd: "/", additionalDirectories: [cwd] })).rejects.toMatchObject(outside);
    await open("session/load", { sessionId, cwd: "/" });
  });

  test("a saved session keeps its folder if the client leaves it to the server", async () => {
    const { rig, raw, open } = await client();
    const { sessionId } = await open("session/new", { cwd: join(box, "ann/project") });
    rig.agents.at(-1)?.kill();
    await open("session/resume", { sessionId, cwd: "/" });
    const { turn, response } = await rig.turn(raw, sessionId);
    expect(rig.agent.received.find(({ method }) => method === "session/new")).toMatchObject({
      params: { cwd: join(box, "ann/project") },
    });
    turn.end();
    await response;
  });

  test("the cwd of an observer is not used: no error names a folder, and the agent doesn't receive the path", async () => {
    const { rig, open } = await client(bob);
    const { sessionId } = await open("session/new", { cwd: "/" });
    const observer = await rig.client({ ...bob, access: "observe" });
    const elsewhere = { sessionId, cwd: "/elsewhere", mcpServers: [] };
    await expect(open("session/load", elsewhere)).rejects.toMatchObject({ data: { folder: join(box, "bob") } });
    const loaded = await observer.connection.request("session/load", elsewhere);
    expect(JSON.stringify([loaded, observer.updates])).not.toContain(box);
    expect(JSON.stringify(rig.agents.map(({ agent }) => agent.received))).not.toContain("elsewhere");
  });
});
