// Builds the API reference into a folder: `build.ts` runs this module in a process of its own.
import { buildReference } from "./reference.js";

const [folder, scratch] = process.argv.slice(2);
if (folder === undefined || scratch === undefined) throw new Error("usage: build-reference <folder> <scratch folder>");
await buildReference(folder, scratch);
