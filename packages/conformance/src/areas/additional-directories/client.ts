import { type ClientCheck, clientWatch } from "../../client/checks.js";
import { callOf } from "../../client/wire-event.js";
import { isAbsolutePath, member, shown } from "../../wire/values.js";

/** The checks of clients: additional directories. */
export const additionalDirectoriesClientChecks: readonly ClientCheck[] = [
  clientWatch({
    id: "payload/directories",
    title: "Additional directories are absolute paths",
    verifies: ["DIR-02"],
    judge: (event) => {
      const directories = member(callOf(event)?.params, "additionalDirectories");
      if (directories === undefined) return undefined;
      if (Array.isArray(directories) && directories.every(isAbsolutePath)) return "fine";
      return { received: shown(directories) };
    },
  }),
  clientWatch({
    id: "payload/directories-distinct",
    title: "Additional directories are distinct, and `cwd` is not among them",
    verifies: ["DIR-14"],
    judge: (event) => {
      const call = callOf(event);
      const directories = member(call?.params, "additionalDirectories");
      if (!Array.isArray(directories)) return undefined;
      const all = [member(call?.params, "cwd"), ...directories];
      return new Set(all).size === all.length ? "fine" : { received: shown(call) };
    },
  }),
];
