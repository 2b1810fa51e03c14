#!/usr/bin/env node
// A committed file, so that the command is linked before anything is built.
import { createProject } from "../dist/node/index.js";

process.exitCode = await createProject(new URL("..", import.meta.url), process.argv.slice(2));
