#!/usr/bin/env node
// A committed file, so that the command is linked before anything is built.
import { main } from "../dist/node/index.js";

process.exitCode = await main(process.argv.slice(2));
