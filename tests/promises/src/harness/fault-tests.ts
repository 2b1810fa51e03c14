/** The titles of the tests that show the faults of `docs/promises.md` that have no promise, by fault. */
export const faultTests: Readonly<Record<string, string>> = {
  "the command does not exist":
    "rejects with not_found, and lists the searched directories, if the command does not exist",
  "the file is not executable, is a directory, or has no interpreter":
    "rejects with not_executable if the file is a directory, has no interpreter, or may not be executed",
  "the working directory does not exist": "rejects with bad_cwd if the working directory does not exist",
  "the user may not enter the working directory":
    "has bad_cwd as its error if the user has no permission to enter the directory",
  "the system refuses to start the command":
    "rejects with spawn_failed if the system refuses to start the command for another reason",
  "the agent exits before its first message":
    "reports the exit code, the command and the end of standard error if the agent exits before its first message",
  "the agent exits after its last messages": "delivers all messages first if the agent exits after its last messages",
  "the agent is killed in the middle of a request":
    "reports the signal if the agent is killed in the middle of a request",
  "the agent dies while requests are pending":
    "rejects all pending requests immediately, with the same cause, when the process exits",
  "the agent exits and leaves children that hold its pipes":
    "ends the children that the agent leaves, even if they hold its pipes",
  "the agent sends nothing": "is ended after startTimeoutMs if it sends nothing",
  "the agent closes its output, or its input": "is reported as closed_output if it closes its output but still runs",
  "the agent never reads its input": "makes the sender wait, but not close(), if it never reads its input",
  "the agent writes a flood to its stderr":
    "does not block if it floods its standard error, of which only the end is kept",
  "the agent ignores the end of its input":
    "sends SIGTERM to the whole process tree of an agent that ignores the end of its input",
  "the agent ignores SIGTERM": "sends SIGKILL to the whole process tree of an agent that ignores SIGTERM",
  "the agent prints banners on stdout": "reports banners on stdout, and does not respond to them with errors",
  "the caller's signal aborts while the agent starts":
    "ends the agent when the caller's signal aborts, with the signal's reason as cause",
  "the agent crashes again and again": "stops restarting an agent that crashes too often, with the last crash as cause",
  "the agent crashes in a turn and can be started again":
    "the interrupted turn rejects with the reason, and its prompt is not sent again",
  "the application is killed without a chance to clean up":
    "lets the next start end the agents of an application that was killed",
  "the pid of an agent in the ledger now belongs to another process":
    "never ends an unrelated process that got the pid of a dead agent",
  "the client of a served agent ends":
    "exits when its input ends, with timers and sockets still open, after responding to requests that arrived",
  "the client of a served agent stops reading": "exits if the client stops reading, as if the client had disconnected",
  "a library in a served agent prints to stdout": "reserves standard output for the protocol, from the first import on",
  "200 agents start and end": "200 agents, started and ended, leave no descriptor, no listener and no process",
  "a function of these packages throws":
    "has the line of the TypeScript source in its stack trace under --enable-source-maps",
};
