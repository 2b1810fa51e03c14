/** The directories of one scenario. The kit removes them afterwards. */
export interface TestFiles {
  /** The working directory of sessions, an absolute path. */
  readonly cwd: string;
  /** The working directory of the agent's process. */
  readonly agentCwd: string;
  /** Creates another directory beside `cwd`. */
  makeDirectory(name: string): Promise<string>;
  /** The absolute path of a name in a directory. */
  join(directory: string, name: string): string;
  /** Whether a path is inside of the scenario's directories. */
  contains(path: string): boolean;
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** The command of an MCP server that logs each received line to a file; `undefined` if none can run. */
  mcpServer?(logPath: string): { readonly command: string; readonly args: readonly string[] };
}

/** Writes a file in the working directory of sessions, and returns its path. */
export async function fileInCwd(files: TestFiles, name: string, text: string): Promise<string> {
  const path = files.join(files.cwd, name);
  await files.write(path, text);
  return path;
}
