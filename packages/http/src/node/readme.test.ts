import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { ask, direct, handler, serve, upgrade } from "./readme.examples.js";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
afterAll(() => Promise.all([handler.close(), direct.close()]));

describe("the README", () => {
  it("lists a decision for every open question of the specification (A10)", () => {
    for (let number = 1; number <= 12; number += 1) expect(readme).toMatch(new RegExp(`^\\| ${number} \\|`, "m"));
  });
});

describe("the examples", () => {
  it("serve an agent and reach it, over both profiles", async () => {
    await using server = await serve("secret");
    expect(await ask(server.url, "secret", "hi")).toBe("You said: hi");
    expect(await ask(server.webSocketUrl, "secret", "hi")).toBe("You said: hi");
  });

  it("serve a named host only, and pages of a named origin", async () => {
    const request = (host: string, origin: string) =>
      handler.fetch(new Request(`https://${host}/acp`, { method: "OPTIONS", headers: { origin } }));
    expect((await request("other.example.com", "https://app.example.com")).status).toBe(403);
    expect((await request("agent.example.com", "https://evil.example")).status).toBe(403);
    const preflight = await request("agent.example.com", "https://app.example.com");
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([
      204,
      "https://app.example.com",
    ]);
  });

  it("accept or refuse WebSocket upgrades of other platforms", async () => {
    const open = () => {
      throw new Error("opened");
    };
    const request = (headers: Record<string, string>) => new Request("https://agent.example.com/acp", { headers });
    expect((await upgrade(request({}), open)).status).toBe(401);
    await expect(upgrade(request({ authorization: "Bearer secret" }), open)).rejects.toThrow("opened");
  });

  it("respond in the body of the POST", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } });
    const headers = { "content-type": "application/json" };
    const response = await direct.fetch(new Request("http://localhost/rpc", { method: "POST", headers, body }));
    expect(await response.json()).toMatchObject({ id: 1, result: { sessionId: expect.any(String) } });
  });
});
