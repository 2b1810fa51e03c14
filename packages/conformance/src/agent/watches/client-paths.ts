import type { Watch } from "../../scenario.js";
import { isAbsolutePath, member, shown } from "../../wire/values.js";
import { agentWatch } from "../agent-scenario.js";

/** Checks of every recorded dialogue: the paths in requests to the client. */
export const clientPathWatches: readonly Watch[] = [
  agentWatch({
    id: "watch/paths-for-the-client",
    title: "Paths in requests to the client are absolute",
    verifies: ["FS-03", "TERM-05"],
    check({ spoken }, { countEntry, wrong }) {
      for (const { from, kind, method, params, seq } of spoken) {
        if (from !== "agent" || kind !== "request") continue;
        const isFile = method?.startsWith("fs/") === true;
        const path = isFile ? member(params, "path") : method === "terminal/create" ? member(params, "cwd") : undefined;
        if (path === undefined || path === null) continue;
        countEntry();
        if (isAbsolutePath(path)) continue;
        wrong(
          isFile ? "FS-03" : "TERM-05",
          [seq],
          `${method} with ${shown(path)}`,
          "The path, or the cwd of a terminal, is absolute.",
        );
      }
    },
  }),
];
