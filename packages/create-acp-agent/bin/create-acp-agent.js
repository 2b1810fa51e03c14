#!/usr/bin/env node
// Old versions of Node.js must be able to parse this file: they can't parse the program, and would print a SyntaxError
// instead of the reason. So it has no static import, no top-level await and no import.meta.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  import("./start.js");
} else {
  process.stderr.write(`create-acp-agent needs Node.js 20.19 or later; this is ${process.version}.\n`);
  process.exitCode = 1;
}
