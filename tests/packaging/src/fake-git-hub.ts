import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** A fake program `gh` that writes the releases it should create to a file. */
export interface GitHub extends Disposable {
  /** The environment variables with which a process finds the fake program. */
  readonly environment: Readonly<Record<string, string>>;
  /** Returns the releases so far, in the order of their creation. */
  releases(): { readonly tag: string; readonly notes: string }[];
}

/** Writes the fake program into a temporary folder. */
export function fakeGitHub(): GitHub {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-gh-")));
  const log = join(folder, "releases.jsonl");
  const program = join(folder, "gh.cjs");
  writeFileSync(
    program,
    `const [group, command, tag, ...options] = process.argv.slice(2);
    if (group === "release" && command === "create") {
      const notes = options[options.indexOf("--notes") + 1];
      require("fs").appendFileSync(${JSON.stringify(log)}, JSON.stringify({ tag, notes }) + "\\n");
    }`,
  );
  writeFileSync(join(folder, "gh"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  writeFileSync(join(folder, "gh.cmd"), `@"${process.execPath}" "${program}" %*\r\n`);
  chmodSync(join(folder, "gh"), 0o755);
  return {
    environment: { PATH: `${folder}${delimiter}${process.env.PATH}` },
    releases: () =>
      existsSync(log)
        ? readFileSync(log, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
        : [],
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
