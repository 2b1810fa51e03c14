import type { RegistryEntry } from "../src/node/catalog/agent-registry.js";
import { openInstallStore } from "../src/node/store/install-store.js";

/**
 * Installs an agent and prints each step. Arguments: directory, entry of a registry as JSON, whether install scripts
 * may run.
 */
const [, , directory = "", entry = "", scripts = "false"] = process.argv;
try {
  const { version } = await openInstallStore({ directory }).install(JSON.parse(entry) as RegistryEntry, {
    scripts: scripts === "true",
    onProgress: ({ step }) => console.log(step),
  });
  console.log(`installed ${version}`);
} catch (error) {
  console.log(`failed ${(error as { code?: string }).code}`);
}
