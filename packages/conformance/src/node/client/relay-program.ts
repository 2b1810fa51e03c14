/** The first line that the relay program sends, before the bytes of the client. */
export interface RelayGreeting {
  readonly pid: number;
  /** The arguments after the agent's command. */
  readonly extraArguments: readonly string[];
}

/** Options of the relay program. */
export interface RelaySettings {
  /** The socket or named pipe of the kit. */
  readonly address: string;
  /** How many bytes the relay program writes to its stderr before anything else. */
  readonly stderrBytes: number;
}

/**
 * Returns the source of the program that the client starts as its agent. The program copies bytes between its own pipes
 * and the kit's socket, so the scenario acts as the agent. It forwards the end of each direction separately.
 */
export function relayProgram(settings: RelaySettings): string {
  return `import { connect } from "node:net";
const { address, stderrBytes } = ${JSON.stringify(settings)};
const play = () => {
  const socket = connect({ path: address, allowHalfOpen: true });
  socket.on("connect", () => {
    socket.write(JSON.stringify({ pid: process.pid, extraArguments: process.argv.slice(2) }) + "\\n");
    process.stdin.pipe(socket);
    socket.pipe(process.stdout);
  });
  socket.on("end", () => process.stdout.end(() => process.exit(0)));
  socket.on("error", () => process.exit(1));
  process.stdout.on("error", () => process.exit(1));
};
if (stderrBytes === 0) play();
else process.stderr.write("x".repeat(stderrBytes - 1) + "\\n", play);
`;
}
