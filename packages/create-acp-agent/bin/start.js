// This file is committed and not built, because pnpm links commands before the build.
import { createProject } from "../dist/node/index.js";

process.exitCode = await createProject(new URL("..", import.meta.url), process.argv.slice(2));
