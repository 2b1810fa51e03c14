import { openAgentStore } from "../src/node/store/agent-store.js";
import { binaryOf, entryOf } from "./fixtures.js";

/** A process that installs an agent: `directory url sha256`. It prints what it does. */
const [, , directory = "", archive = "", sha256 = ""] = process.argv;
const entry = entryOf(binaryOf({ archive, cmd: "./small/agent", sha256 }));
try {
  const { version } = await openAgentStore({ directory }).install(entry, {
    onProgress: ({ step }) => console.log(step),
  });
  console.log(`installed ${version}`);
} catch (error) {
  console.log(`failed ${(error as { code?: string }).code}`);
}
