/** What scenarios need of the machine: files to be read and written through the client, a program for its terminals. */
export interface Host {
  /** Makes an empty folder of ours in an existing one; it is removed when the scenario has ended. */
  makeFolder(parent: string): Promise<string>;
  /** An empty folder that is in no session's reach. */
  makeOutsideFolder(): Promise<string>;
  /** A path below a folder, with the separators of this machine. */
  join(folder: string, name: string): string;
  writeFile(path: string, content: string): Promise<void>;
  /** The content of a file; `undefined` when there is none. */
  readFile(path: string): Promise<string | undefined>;
  /** Makes a symbolic link; says whether this machine let us. */
  link(target: string, path: string): Promise<boolean>;
  /** A program that runs JavaScript: `command` with `[...args, code]`. */
  readonly script: { readonly command: string; readonly args: readonly string[] };
  /** Whether a process with this id is alive. */
  isAlive(pid: number): boolean;
  /** A local web server that counts who comes. */
  listen(): Promise<{ readonly url: string; visits(): number }>;
  /** Removes folders and servers. */
  dispose(): Promise<void>;
}
