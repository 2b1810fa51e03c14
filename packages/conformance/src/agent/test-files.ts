/** The directories that a scenario works in; they are its own, and are removed afterwards. */
export interface TestFiles {
  /** An absolute path: the working directory of sessions. */
  readonly cwd: string;
  /** Where the agent's process runs. */
  readonly agentCwd: string;
  /** Another directory beside it, made now. */
  makeDirectory(name: string): Promise<string>;
  /** The absolute path of a name in a directory. */
  join(directory: string, name: string): string;
  /** Whether a path is inside of the scenario's directories. */
  contains(path: string): boolean;
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** How to start an MCP server that logs what it receives, line by line, to a file; where there is a way. */
  mcpServer?(logPath: string): { readonly command: string; readonly args: readonly string[] };
}
