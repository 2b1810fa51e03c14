import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fakeHost } from "../../../test/fake-host.js";
import { clusterSettings } from "./cluster-settings.js";
import { readEngine } from "./engine-choice.js";

const folder = mkdtempSync(join(tmpdir(), "acp-kit-cluster-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const replicaSecretFile = join(folder, "secret");
writeFileSync(replicaSecretFile, "0123456789-abcdef\n");

function addressOf(replicaAddress: string): string | undefined {
  const engine = readEngine("redis://127.0.0.1", "--engine");
  return clusterSettings({ replicaAddress, replicaSecretFile }, {}, engine, fakeHost())?.address;
}

describe("the address of a replica", () => {
  it.each([
    ["10.0.0.3:7700", "10.0.0.3:7700"],
    ["replica-1.example.com:7700", "replica-1.example.com:7700"],
    ["[fd00::3]:7700", "[fd00::3]:7700"],
    ["fd00::3:7700", "[fd00::3]:7700"],
    ["fd00:1:2:3:4:5:6:7:7700", "[fd00:1:2:3:4:5:6:7]:7700"],
    ["::ffff:10.0.0.3:7700", "[::ffff:10.0.0.3]:7700"],
  ])("may be an IPv6 address without brackets, as a manifest writes it: %s", (text, address) => {
    expect(addressOf(text)).toBe(address);
  });

  it.each(["fd00::3", "fd00::3:", "fd00::3:77000", "fd00:1:2:3:4:5:6:7", "7700", ":7700", ""])("is not %j", (text) => {
    expect(() => addressOf(text)).toThrow(`--replica-address must be host:port, such as 10.0.0.3:7700, not "${text}".`);
  });
});
