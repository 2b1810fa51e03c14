import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ConnectionErrorCode } from "./connection-error.js";
import type { DiagnosticCode } from "./diagnostic.js";
import { watchBuild } from "./readme.examples.js";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** The cells of the table row that begins with `name`. */
function rowOf(name: string): string[] {
  const row = readme.split("\n").find((line) => line.startsWith(`| \`${name}\``)) ?? "";
  return row.split("|").map((cell) => cell.trim());
}

describe("the README", () => {
  it("shows the example that is compiled and run here", () => {
    const example = readFileSync(new URL("./readme.examples.ts", import.meta.url), "utf8");
    expect(/```ts\n([\s\S]*?)```/.exec(readme)?.[1]).toBe(example);
  });

  it("lists every way in which a connection fails a request", () => {
    const codes: Record<ConnectionErrorCode, true> = {
      closed: true,
      peer_closed: true,
      transport_failed: true,
      timeout: true,
      invalid_response: true,
      backlog_full: true,
    };
    for (const code of Object.keys(codes)) expect(rowOf(code)[2]).toMatch(/\w/);
  });

  it("lists every diagnostic", () => {
    const codes: Record<DiagnosticCode, true> = {
      malformed_input: true,
      invalid_message: true,
      unknown_response: true,
      late_response: true,
      unknown_notification: true,
      invalid_params: true,
      handler_failed: true,
      unserializable: true,
      too_many_requests: true,
      backlog_dropped: true,
      close_failed: true,
      hook_failed: true,
    };
    for (const code of Object.keys(codes)) expect(readme).toContain(`\`${code}\``);
  });
});

describe("the example", () => {
  it("gets the result after the handlers of every line that came before it", async () => {
    expect(await watchBuild("app")).toEqual(["compile app", "link app", "app.bin"]);
  });

  it("gets an error that the peer responded with", async () => {
    expect(await watchBuild("")).toEqual(["-32602 There is nothing to build"]);
  });
});
