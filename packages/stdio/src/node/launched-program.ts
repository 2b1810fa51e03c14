/** The program that is actually started for a command. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  /** The variables that a shim (a script that a package manager wrote) sets before it starts the program. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the arguments are already quoted (Windows). */
  readonly verbatim?: boolean;
}

/** The part of the file system needed to find a command. */
export interface LaunchFiles {
  isFile(path: string): boolean;
  read(path: string): string;
}
