import { openInstallStore } from "../src/node/store/install-store.js";
import { binaryOf, entryOf } from "./fixtures.js";

/** A process that installs an agent: `directory url sha256`. It prints what it does. */
const [, , directory = "", archive = "", sha256 = ""] = process.argv;
const entry = entryOf(binaryOf({ archive, cmd: "./small/agent", sha256 }));
try {
  const { version } = await openInstallStore({ directory }).install(entry, {
    onProgress: ({ step }) => console.log(step),
  });
  console.log(`installed ${version}`);
} catch (error) {
  console.log(`failed ${(error as { code?: string }).code}`);
}
