#!/usr/bin/env node
import { serveStdio } from "@acp-kit/stdio/node";
import { agent } from "./agent.js";

// Standard output belongs to the protocol: console.log goes to standard error.
await serveStdio(agent);
