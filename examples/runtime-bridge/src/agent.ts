// The bridge as a command, for editors.
import { serveStdio } from "@acp-kit/stdio/node";
import { bridge } from "./bridge.js";
import { Runtime } from "./runtime.js";

await serveStdio(bridge(new Runtime()));
