import { existsSync } from "node:fs";
import { join } from "node:path";
import { openInstallStore, probeAgent, resolveAgent } from "@acp-kit/registry";
import { expect, it } from "vitest";

/** A home in which `acp-kit agents install` has installed real agents: this test uses no network. */
const home = process.env.ACP_AGENTS_HOME ?? "";
const env = { PATH: process.env.PATH ?? "", HOME: home, XDG_DATA_HOME: join(home, ".local", "share") };
const isThere = home !== "" && existsSync(openInstallStore({ env }).lockFile);
if (!isThere) console.log("Not run: real agents by name, because ACP_AGENTS_HOME names no home with installed agents.");

it.skipIf(!isThere)(
  "real agents that are installed start by their names, without a registry",
  { timeout: 300_000 },
  async () => {
    const installed = await openInstallStore({ env }).list();
    expect(installed.length).toBeGreaterThan(0);
    for (const { id } of installed) {
      const { agent, ...command } = await resolveAgent(id, {
        env,
        registry: () => Promise.reject(new Error("not needed")),
      });
      expect(agent).toMatchObject({ id, origin: "installed" });
      const probe = await probeAgent(
        { ...command, env: { ...env, ...command.env }, inheritEnv: false },
        { timeoutMs: 60_000 },
      );
      expect(probe, id).toMatchObject({ speaks: true, protocolVersion: 1 });
    }
  },
);
