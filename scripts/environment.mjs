import { delimiter, join } from "node:path";
import { root } from "../tools/configs/packages.mjs";

/** The environment in which scripts start tools: installed tools are on the `PATH`, and telemetry is off. */
export const environment = {
  ...process.env,
  PATH: `${join(root, "node_modules", ".bin")}${delimiter}${process.env.PATH}`,
  TURBO_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
};
