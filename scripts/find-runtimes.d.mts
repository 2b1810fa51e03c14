/** A runtime other than Node, as `findRuntimes` returns it. */
export interface Runtime {
  readonly name: "bun" | "deno";
  readonly major: number;
  /** The path of the program. Absent if the runtime is not installed. */
  readonly program?: string;
  readonly version?: string;
}

/** Finds Bun and Deno on this machine. The comment in `find-runtimes.mjs` lists the searched folders. */
export function findRuntimes(env?: Readonly<Record<string, string | undefined>>): Runtime[];
