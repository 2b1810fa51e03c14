import { join } from "node:path";
import { postgresFolder, redisProgram, startPostgres, startRedis, type TestServer } from "@acp-kit/servers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoAgent, type Running, sandbox, start } from "../../../test/spawned.js";
import type { ServeAnnouncement } from "../serve/serve-agent.js";

const { cwd, home, remove } = sandbox();
const running: Running[] = [];
afterAll(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  await Promise.all(running.map(({ ended }) => ended));
  remove();
});

const token = "given-0123456789-abcdef";
const secret = "engine-secret-0123456789";

async function serve(engine: string) {
  const agent = await demoAgent("--store", join(home, "store"));
  const words = ["serve", "--json", "--log-level", "info", "--engine", engine, ...agent];
  const server = await start(words, home, { cwd, env: { ACP_TOKEN: token } });
  running.push(server);
  return server;
}

async function announced(server: Running): Promise<ServeAnnouncement> {
  await server.until("out", "\n");
  return JSON.parse(server.out()) as ServeAnnouncement;
}

async function acpKit(...words: string[]) {
  return (await start(words, home, { cwd, env: { ACP_TOKEN: token } })).ended;
}

const engines = [
  {
    name: "Redis",
    isThere: redisProgram() !== undefined,
    start: () => startRedis([], secret),
    other: "redis://:wrong-secret@",
  },
  {
    name: "PostgreSQL",
    isThere: postgresFolder() !== undefined,
    start: () => startPostgres({ password: secret }),
    other: "postgres://postgres:wrong-secret@",
  },
];

for (const engine of engines) {
  describe.skipIf(!engine.isThere)(`serve.engines: ${engine.name} (needs the program)`, () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await engine.start();
    });
    afterAll(() => server.stop());

    it("stores sessions in the engine; two servers serve the same sessions, and the password is never printed", async () => {
      const one = await serve(server.url);
      const { url } = await announced(one);
      const { code, err } = await acpKit("run", "/echo through one", "--url", url);
      expect(code, err).toBe(0);
      const other = await serve(server.url);
      const { url: otherUrl } = await announced(other);
      const listed = await acpKit("sessions", "--json", "--url", otherUrl);
      const { sessionId } = JSON.parse(listed.out) as { sessionId: string };
      const shown = await acpKit("sessions", "show", sessionId, "--url", otherUrl);
      expect(shown.out).toContain("through one");
      for (const { child, ended, out, err } of [one, other]) {
        child.kill("SIGTERM");
        expect((await ended).code).toBe(0);
        expect(out() + err()).not.toContain(secret);
        expect(err()).toContain(
          `sessions are stored in ${engine.name === "Redis" ? "redis" : "postgres"}://127.0.0.1:`,
        );
      }
    });

    it("exits with one sentence and code 2 for a wrong password or address", async () => {
      const path = engine.name === "Redis" ? "" : "/postgres";
      for (const url of [`${engine.other}127.0.0.1:${server.port}${path}`, `${engine.other}127.0.0.1:1${path}`]) {
        const { code, out, err } = await (await serve(url)).ended;
        expect({ code, out }, err).toEqual({ code: 2, out: "" });
        expect(err).toMatch(/^[^\n]*Can't open the sessions: [^\n]+\n$/);
        expect(err).not.toContain("wrong-secret");
      }
    });
  });
}

it.skipIf(redisProgram() === undefined)(
  "serve.engines: exits with code 2 if the settings of Redis would lose sessions (needs redis-server)",
  async () => {
    const server = await startRedis(["--appendonly", "no"]);
    const { code, err } = await (await serve(server.url)).ended;
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/appendonly yes[^\n]*\n$/) });
    await server.stop();
  },
);
