/** A runtime beside Node, as `findRuntimes` describes it. */
export interface Runtime {
  readonly name: "bun" | "deno";
  readonly major: number;
  /** Absent where it is not installed. */
  readonly program?: string;
  readonly version?: string;
}

/** Finds Bun and Deno on this machine; the script says where. */
export function findRuntimes(env?: Readonly<Record<string, string | undefined>>): Runtime[];
