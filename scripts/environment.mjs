import { delimiter, join } from "node:path";
import { root } from "../tools/configs/packages.mjs";

/** What a tool of the workspace runs with: the installed tools found by name, and nothing told to anybody outside. */
export const environment = {
  ...process.env,
  PATH: `${join(root, "node_modules", ".bin")}${delimiter}${process.env.PATH}`,
  TURBO_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
};
