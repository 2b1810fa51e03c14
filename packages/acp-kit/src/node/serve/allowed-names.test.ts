import { expect, it } from "vitest";
import { readHost, readOrigin } from "./allowed-names.js";

it.each(["agents.example.com", "Agents.example.com:8080", "10.0.0.3", "[::1]", "[fe80::1]:443", "localhost"])(
  "accepts the host %s",
  (host) => {
    expect(readHost(host, "--allow-host")).toBe(host);
  },
);

it.each(["", " ", "https://a.example", "a.example/acp", "*.example.com", "::1", "a.example:port", "me@a.example"])(
  "refuses the host %j, which no request has",
  (host) => {
    expect(() => readHost(host, "--allow-host")).toThrow(/^--allow-host .*: a host is a name or an address/);
  },
);

it.each([
  ["https://App.example.com/", "https://app.example.com"],
  ["http://localhost:5173", "http://localhost:5173"],
  ["http://[::1]:5173", "http://[::1]:5173"],
  ["chrome-extension://abcdef", "chrome-extension://abcdef"],
  ["tauri://localhost", "tauri://localhost"],
])("accepts the origin %s", (text, origin) => {
  expect(readOrigin(text, "--allow-origin")).toBe(origin);
});

it.each(["", "*", "null", "app.example.com", "https://a.example/page", "https://a.example:443", "file:///", "data:x"])(
  "refuses the origin %j, which no page has",
  (text) => {
    expect(() => readOrigin(text, "--allow-origin")).toThrow(/^--allow-origin .*: an origin is a scheme and a host/);
  },
);
