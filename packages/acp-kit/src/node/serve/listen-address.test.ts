import { expect, it } from "vitest";
import { readListenAddress } from "./listen-address.js";

it.each([
  ["127.0.0.1:8080", { host: "127.0.0.1", port: 8080 }],
  ["localhost:0", { host: "localhost", port: 0 }],
  ["[::1]:65535", { host: "::1", port: 65_535 }],
  [":8080", { host: "127.0.0.1", port: 8080 }],
  ["8080", { host: "127.0.0.1", port: 8080 }],
])("%s is an address", (text, address) => {
  expect(readListenAddress(text)).toEqual(address);
});

it.each(["", "localhost", "localhost:", "localhost:65536", "::1:80", "http://localhost:80", "a b:80", "localhost:-1"])(
  "%j is none",
  (text) => {
    expect(() => readListenAddress(text)).toThrow("host:port");
  },
);
