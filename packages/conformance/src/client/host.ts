/** What a scenario uses of its machine: files for the client, and a program for its terminals. */
export interface Host {
  /** Creates an empty folder in an existing one. The kit removes it when the scenario has ended. */
  makeFolder(parent: string): Promise<string>;
  /** Creates an empty folder in the folder for temporary files, which is outside of most sessions. */
  makeOutsideFolder(): Promise<string>;
  /** Returns a path below a folder, with the separators of this machine. */
  join(folder: string, name: string): string;
  /** Returns the path that leads from a folder to a place below it. */
  relative(folder: string, path: string): string;
  /** Returns whether a place is in a folder, also through links. A folder that doesn't exist contains nothing. */
  contains(folder: string, path: string): Promise<boolean>;
  writeFile(path: string, content: string): Promise<void>;
  /** Returns the content of a file, or `undefined` if the file doesn't exist. */
  readFile(path: string): Promise<string | undefined>;
  /** Creates a symbolic link; returns whether this machine allows it. */
  link(target: string, path: string): Promise<boolean>;
  /** A program that runs JavaScript, called as `command` with the arguments `[...args, code]`. */
  readonly script: { readonly command: string; readonly args: readonly string[] };
  /** Returns whether a process with this id is alive. */
  isAlive(pid: number): boolean;
  /** Starts a local web server that counts its requests. */
  listen(): Promise<{ readonly url: string; visits(): number }>;
  /** Removes folders and servers. */
  dispose(): Promise<void>;
}
