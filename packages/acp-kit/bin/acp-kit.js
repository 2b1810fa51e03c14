#!/usr/bin/env node
// A committed file, so that the command is linked before anything is built.
import { main } from "../dist/node/index.js";

// Not `exitCode`: whatever still holds this process (a terminal that is read) must not keep it when the command has ended.
process.exit(await main(process.argv.slice(2)));
