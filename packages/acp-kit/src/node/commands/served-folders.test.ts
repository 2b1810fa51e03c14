import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { demoAgent, type Running, sandbox, start } from "../../../test/spawned.js";
import type { ServeAnnouncement } from "../serve/serve-agent.js";

const { cwd, home, remove } = sandbox();
const running: Running[] = [];
afterAll(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  await Promise.all(running.map(({ ended }) => ended));
  remove();
});

const tokens = { ann: "ann-0123456789-abcdef", ben: "ben-0123456789-abcdef" } as const;

/** A server with two users. The first has a folder of her own, the second works in the folder of the server. */
async function serve(): Promise<string> {
  for (const folder of ["team", "ann"]) mkdirSync(join(home, folder), { recursive: true });
  symlinkSync(join(home, "team"), join(home, "ann/to-team"));
  for (const [user, token] of Object.entries(tokens)) writeFileSync(join(home, `${user}.token`), token);
  const users = [
    { user: "ann", tokenFile: "ann.token", folder: "ann" },
    { user: "ben", tokenFile: "ben.token" },
  ];
  writeFileSync(join(home, "serve.json"), JSON.stringify({ users, engine: "memory" }));
  const words = ["serve", "--json", "--config", join(home, "serve.json"), "--cwd", join(home, "team")];
  const server = await start([...words, ...(await demoAgent())], home, { cwd });
  running.push(server);
  await server.until("out", "\n");
  return (JSON.parse(server.out()) as ServeAnnouncement).url;
}

describe("the folders of a server", () => {
  it("serve.folders: are the default of sessions, and their limit", async () => {
    const url = await serve();
    const acpKit = async (user: keyof typeof tokens, ...words: readonly string[]) =>
      (await start([...words, "--url", url], home, { cwd, env: { ACP_TOKEN: tokens[user] } })).ended;
    const run = (user: keyof typeof tokens, ...words: readonly string[]) => acpKit(user, "run", "/echo hi", ...words);
    expect(await run("ann")).toMatchObject({ code: 0 });
    expect(await run("ben")).toMatchObject({ code: 0 });
    for (const folder of [cwd, join(home, "ann/to-team")]) {
      const { code, err } = await run("ann", "--cwd", folder);
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringContaining(`A session works in ${join(home, "ann")}`),
      });
    }
    const folders = async (user: keyof typeof tokens): Promise<string[]> =>
      (await acpKit(user, "sessions", "--json")).out
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { readonly cwd: string }).cwd);
    expect(await folders("ann")).toEqual([join(home, "ann")]);
    expect(await folders("ben")).toEqual([join(home, "team")]);
  });
});
