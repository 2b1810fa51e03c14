import { expect, it } from "vitest";
import { echoAgent } from "../../test/echo-agent.js";
import { RawClient } from "../../test/raw-client.js";
import { withListeningHost } from "./listening-host.js";
import { serveHttp } from "./serve-http.js";

const loopback = ["localhost", "127.0.0.1", "[::1]"];

it.each([
  ["agent.example", "agent.example"],
  ["127.0.0.2", "127.0.0.2"],
  ["fd00:0:0:0:0:0:0:1", "[fd00::1]"],
  ["::ffff:127.0.0.1", "[::ffff:7f00:1]"],
])("a server that listens on %s accepts requests to %s and to loopback addresses", (host, name) => {
  expect(withListeningHost({}, host)).toEqual({ allowedHosts: [...loopback, name] });
});

it.each(["0.0.0.0", "::", "0:0:0:0:0:0:0:0"])(
  "a server that listens on %s accepts no other host by default",
  (host) => {
    expect(withListeningHost({}, host)).toEqual({});
  },
);

it("allowed hosts of the application stay unchanged", () => {
  expect(withListeningHost({ allowedHosts: "any" }, "agent.example")).toEqual({ allowedHosts: "any" });
});

// Other systems have only the loopback address 127.0.0.1.
it.runIf(process.platform === "linux")(
  "a server on another loopback address than 127.0.0.1 accepts requests to its own URL",
  async () => {
    await using server = await serveHttp(echoAgent(), { host: "127.0.0.2" });
    expect(server.url).toContain("127.0.0.2");
    expect((await new RawClient((request) => fetch(request), server.url).initialize()).status).toBe(200);
  },
);
