import { readFileSync } from "node:fs";
import { agentMethods, agentRequests } from "@acp-kit/schema";
import { describe, expect, it } from "vitest";
import { greeting, receive } from "./readme.examples.js";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

describe("the README", () => {
  it("shows the example that is compiled and run here", () => {
    const example = readFileSync(new URL("./readme.examples.ts", import.meta.url), "utf8");
    expect(/```ts\n([\s\S]*?)```/.exec(readme)?.[1]).toBe(example);
  });

  it("is right about the tables", () => {
    expect(readme).toContain(`agentMethods.loadSession; // ${JSON.stringify(agentMethods.loadSession)}`);
    const { capability } = agentRequests["session/load"];
    expect(readme).toContain(`agentRequests["session/load"].capability; // ${JSON.stringify(capability)}`);
  });

  it("names every entry point", () => {
    const { exports } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
      exports: Record<string, unknown>;
    };
    const tails = new Set(Object.keys(exports).map((subpath) => subpath.split("/").at(-1) ?? ""));
    for (const tail of tails) expect(readme).toContain(tail === "." ? "`@acp-kit/schema`" : tail);
  });
});

describe("the example", () => {
  it("shows what it sent", () => {
    expect(receive(JSON.stringify(greeting))).toBe("Hello");
  });

  it("shows an update of a newer schema, by its name", () => {
    expect(receive('{"sessionId":"s-1","update":{"sessionUpdate":"hologram","depth":3}}')).toBe(
      "(something new: hologram)",
    );
  });

  it("reports where a message is invalid", () => {
    const broken = '{"sessionId":"s-1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text"}}}';
    expect(() => receive(broken)).toThrow("update.content.text");
  });
});
