import { delimiter, join } from "node:path";
import { root } from "../tools/configs/packages.mjs";

/** The environment of a tool of the workspace: installed tools are found by name, and no telemetry is sent. */
export const environment = {
  ...process.env,
  PATH: `${join(root, "node_modules", ".bin")}${delimiter}${process.env.PATH}`,
  TURBO_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
};
