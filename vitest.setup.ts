import { statSync } from "node:fs";

// Runs before each test file of a shared process. If the last synchronous `stat` or `lstat` saw a socket or a pipe (for
// example, `rmSync` of a folder that contains one), Node 20 no longer resolves the links by which pnpm finds packages,
// and the imports of the next file fail.
statSync(".");
