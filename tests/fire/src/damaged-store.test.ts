import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildCommandLine } from "@acp-kit/interop-tests/build-command-line";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fireClient } from "./client.js";
import { lossesOf, noLosses, numbersIn, times } from "./counts.js";
import { noProcessesOf, runTwice, type ServerHome, serverHome, startServer } from "./served.js";

let program = "";
let place: ServerHome;
beforeEach(async () => {
  if (program === "") program = await buildCommandLine();
  place = await serverHome();
});
afterEach(() => place.remove());

/** Starts a server that fails. Returns its output and its exit code. */
async function refusedStart(): Promise<{ readonly code: string; readonly message: string }> {
  const error = await startServer(place, { program }).then(
    () => undefined,
    (reason: Error) => reason,
  );
  const [, code = "", message = ""] = /ended \((.*?)\) without listening: (.*)/s.exec(error?.message ?? "") ?? [];
  return { code, message };
}

describe("fire.store-locked: a file that is in use", () => {
  it("a second server that opens the file exits with the reason, and the first server continues", async () => {
    const server = await startServer(place, { program });
    const { code, message } = await refusedStart();
    expect({ code, lines: message.trim().split("\n") }).toEqual({
      code: "1",
      lines: [expect.stringContaining("is locked by another process")],
    });
    const client = await fireClient(place);
    const session = await client.open();
    expect((await session.prompt("/flood 10").result).stopReason).toBe("end_turn");
    await client[Symbol.asyncDispose]();
    expect(await server.end()).toBe(0);
  });

  it("prompts fail with a typed error while another program holds a lock on the file; then the session continues", {
    timeout: 60_000,
  }, async () => {
    const config = join(place.home, "serve.json");
    writeFileSync(config, JSON.stringify({ times: { engineGraceMs: 500 } }));
    const server = await startServer(place, {
      program,
      options: ["--engine", `sqlite:${place.sessions}`, "--config", config],
    });
    const client = await fireClient(place);
    const session = await client.open();
    const database = new Database(place.sessions);
    database.exec("BEGIN IMMEDIATE");
    await expect(session.prompt("/flood 10").result).rejects.toMatchObject({ data: { reason: "engine_unavailable" } });
    database.exec("ROLLBACK");
    database.close();
    expect(client.take()).toBe("");
    expect((await session.prompt("/flood 20").result).stopReason).toBe("end_turn");
    expect(lossesOf(numbersIn(client.take()), 20)).toEqual(noLosses);
    await client[Symbol.asyncDispose]();
    expect(await server.end()).toBe(0);
    expect(runTwice(place.store)).toBe(0);
  });
});

describe("fire.store-damaged: a file with damage", () => {
  it("with changed bytes at any place, a session is either served unchanged or fails with a typed error", {
    timeout: 900_000,
  }, async () => {
    const server = await startServer(place, { program });
    const client = await fireClient(place);
    const session = await client.open();
    await session.prompt("/flood 3000").result;
    const whole = client.take();
    await client[Symbol.asyncDispose]();
    expect(await server.end()).toBe(0);
    await noProcessesOf(place.home);
    const sound = `${place.sessions}.sound`;
    copyFileSync(place.sessions, sound);
    const size = readFileSync(sound).length;
    const tries = times(6, 40);
    const outcomes = { served: 0, refusedStart: 0, refusedSession: 0 };
    for (let attempt = 0; attempt < tries; attempt++) {
      const bytes = readFileSync(sound);
      const at = attempt === 0 ? 0 : Math.floor((size / tries) * attempt);
      for (let i = at; i < Math.min(at + 512, size); i++) bytes[i] = (bytes[i] ?? 0) ^ 0x5a;
      for (const name of [place.sessions, `${place.sessions}-wal`, `${place.sessions}-shm`])
        rmSync(name, { force: true });
      writeFileSync(place.sessions, bytes);
      const damaged = await startServer(place, { program }).catch((error: Error) => error);
      if (damaged instanceof Error) {
        expect(damaged.message).toMatch(/ended \(1\).*Can't open the sessions: .*(damaged|another program|not a)/s);
        outcomes.refusedStart += 1;
        continue;
      }
      const reader = await fireClient(place);
      const error = await reader.open(session.sessionId).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      const got = reader.take();
      if (error === undefined) {
        expect(got === whole, `changed at ${at}`).toBe(true);
        outcomes.served += 1;
      } else {
        // If the index of the directory is damaged, the session is not found.
        const { code, data } = error as { readonly code: number; readonly data?: { readonly reason: string } };
        expect(data?.reason === "engine_unavailable" || code === -32_002, String(error)).toBe(true);
        expect(whole.startsWith(got), `changed at ${at}`).toBe(true);
        outcomes.refusedSession += 1;
      }
      await reader[Symbol.asyncDispose]();
      expect(await damaged.end()).toBe(0);
    }
    console.log(`fire.store-damaged: ${JSON.stringify(outcomes)}`);
    expect(outcomes.refusedStart).toBeGreaterThan(0);
    expect(outcomes.served + outcomes.refusedSession).toBeGreaterThan(0);
    await noProcessesOf(place.home);
  });
});
