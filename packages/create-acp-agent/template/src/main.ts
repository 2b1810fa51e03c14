#!/usr/bin/env node
import { serveStdio } from "@acp-kit/stdio/node";
import { agent } from "./agent.js";

// Standard output is only for messages of the protocol, so `serveStdio` redirects console.log to standard error.
await serveStdio(agent);
