// Builds what the showcase needs and runs it: a real client process and a real agent process in one whole conversation.
//   npm run demo                             with the everything agent of this workspace
//   npm run demo -- --agent "my-agent --acp" with any other
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../tools/configs/packages.mjs";
import { environment } from "./environment.mjs";

const showcase = join(root, "examples", "showcase");

// Turbo reports where each thing comes from and how long it took, which matters only when something fails. Not through a shell:
// on Windows that would take the "^" for itself.
const turbo = join(root, "node_modules", "turbo", "bin", "turbo");
// The command line is built with it: after the demo, `npx acp-kit` works.
const filters = ["--filter=@acp-kit/showcase^...", "--filter=acp-kit"];
const what = [...filters, "--output-logs=errors-only", "--log-order=grouped"];
const options = { cwd: root, env: environment, encoding: "utf8" };
const build = spawnSync(process.execPath, [turbo, "run", "build", ...what], options);
if (build.status !== 0) {
  console.error(`${build.stdout}${build.stderr}\nThe packages could not be built.`);
  process.exit(build.status ?? 1);
}

const { resolve } = createRequire(join(showcase, "package.json"));
const tsx = pathToFileURL(resolve("tsx")).href;
const main = join(showcase, "src", "main.ts");
const demo = spawnSync(process.execPath, ["--import", tsx, main, ...process.argv.slice(2)], { stdio: "inherit" });
process.exit(demo.status ?? 1);
