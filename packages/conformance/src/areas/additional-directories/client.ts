import { type ClientCheck, callWatch } from "../../client/checks.js";
import { isAbsolutePath, member, shown } from "../../wire/values.js";

/** The checks of clients: additional directories. */
export const additionalDirectoriesClientChecks: readonly ClientCheck[] = [
  callWatch("payload/directories", ["DIR-02"], {
    title: "Additional directories are absolute paths",
    judge: ({ params }) => {
      const directories = member(params, "additionalDirectories");
      if (directories === undefined) return undefined;
      return (Array.isArray(directories) && directories.every(isAbsolutePath)) || { received: shown(directories) };
    },
  }),
  callWatch("payload/directories-distinct", ["DIR-14"], {
    title: "Additional directories are distinct, and `cwd` is not among them",
    judge: ({ params }) => {
      const directories = member(params, "additionalDirectories");
      if (!Array.isArray(directories)) return undefined;
      const all = [member(params, "cwd"), ...directories];
      return new Set(all).size === all.length;
    },
  }),
];
