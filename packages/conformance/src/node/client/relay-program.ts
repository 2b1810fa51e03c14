/** What the relay sends before the first byte of the client. */
export interface RelayGreeting {
  readonly pid: number;
  /** The words behind our command. */
  readonly extraArguments: readonly string[];
}

/** What one relay does besides passing bytes on. */
export interface RelaySettings {
  /** The socket or named pipe where we listen. */
  readonly address: string;
  /** How many bytes it writes to its stderr before anything else. */
  readonly stderrBytes: number;
}

/**
 * The source of the agent that the client starts: it passes bytes between its own pipes and our socket, and nothing else,
 * so that the scenario plays the agent. Half-closed ends are passed on as they are.
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
