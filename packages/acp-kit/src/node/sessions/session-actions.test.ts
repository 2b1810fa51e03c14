import type { AgentConnection } from "@acp-kit/client";
import { expect, it } from "vitest";
import { fakeHost } from "../../../test/fake-host.js";
import { listSessions } from "./session-actions.js";

it("the list contains no control characters of the agent", async () => {
  const hostile = "\u001b]0;x\u0007\u009b2J";
  async function* sessions() {
    yield { sessionId: `s${hostile}`, cwd: `/work${hostile}`, title: `t${hostile}`, updatedAt: `2026${hostile}` };
  }
  const host = fakeHost();
  const agent = { listSessions: sessions } as unknown as AgentConnection;
  await listSessions({ agent, host, json: false, stop: new AbortController().signal }, undefined);
  expect(host.out().split("\n")).toHaveLength(2);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  expect(host.out()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});
