// Builds and runs the showcase: a client process and an agent process in a complete conversation.
//   npm run demo                             with the everything agent of this workspace
//   npm run demo -- --agent "my-agent --acp" with another agent
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../tools/configs/packages.mjs";
import { environment } from "./environment.mjs";

const showcase = join(root, "examples", "showcase");

// The output of Turbo is shown only if the build fails. Turbo is started without a shell, because the shell of Windows
// interprets "^".
const turbo = join(root, "node_modules", "turbo", "bin", "turbo");
// The package `acp-kit` is built too, so that `npx acp-kit` works after the demo.
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
