import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fakeHost } from "../../../test/fake-host.js";
import { defaultSessionFile, readEngine } from "./engine-choice.js";

it.each([
  ["none", { is: "none" }],
  ["memory", { is: "memory" }],
  ["sqlite", { is: "sqlite", path: undefined }],
  ["sqlite:/var/lib/sessions.db", { is: "sqlite", path: "/var/lib/sessions.db" }],
  ["rediss://me:hunter22@host:1/2", { is: "redis", url: "rediss://me:hunter22@host:1/2", where: "rediss://host:1/2" }],
  ["Postgres://me@host/db", { is: "postgres", url: "Postgres://me@host/db", where: "postgres://host/db" }],
])("parses the engine %s", (text, engine) => {
  expect(readEngine(text, "--engine")).toEqual(engine);
});

it.each([
  ["redis://me:hunter22@", "--engine: the URL of the engine is not valid. Expected a URL such as redis://host:6379."],
  ["postgres:me:hunter22", "--engine: the URL of the engine is not valid."],
  [
    "mongodb://me:hunter22@host/0",
    "--engine: there is no engine mongodb. The engines are sqlite, sqlite:<file>, redis://…, postgres://…, memory and none.",
  ],
  ["", '--engine "" must name an engine.'],
  ["sqlite:", '--engine "sqlite:" must name an engine.'],
  ["Memory", '--engine "Memory" must name an engine.'],
])("refuses %j, without the password in the message", (text, message) => {
  const read = () => readEngine(text, "--engine");
  expect(read).toThrow(message);
  expect(read).not.toThrow("hunter22");
});

it("returns one session file per agent command, in the user's state folder", () => {
  const home = mkdtempSync(join(tmpdir(), "acp-kit-state-"));
  const host = fakeHost({ env: { XDG_STATE_HOME: home } });
  const file = (...words: string[]): string => defaultSessionFile(words, host);
  expect(file("/usr/bin/gemini", "--acp")).toMatch(/acp-kit\/serve\/gemini-[0-9a-f]{12}\.db$/);
  expect(file("gemini", "--acp")).toBe(file("gemini", "--acp"));
  expect(new Set([file("gemini", "--acp"), file("gemini"), file("opencode", "acp")]).size).toBe(3);
  expect(file("../a b;c")).toMatch(/\/a-b-c-|\/b-c-|a-b-c/);
  rmSync(home, { recursive: true });
});
