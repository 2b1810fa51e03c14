import { type Peer, RpcError, type V1ClientCalls } from "@acp-kit/protocol";
import type { CreateTerminalRequest, PermissionOptionKind } from "@acp-kit/types";

/** The requests that a client of the tests received, and its files. */
export interface Answers {
  readonly files: Map<string, string>;
  readonly asked: string[];
  readonly created: CreateTerminalRequest[];
  permission: PermissionOptionKind | "cancelled";
}

/**
 * Responds to every request: with files from a map, a terminal that ends immediately, and the first valid value for
 * each property of a form.
 */
export function answers(): Answers & { readonly handle: (peer: Peer<V1ClientCalls>) => void } {
  const files = new Map([["/work/a.txt", "one\ntwo\nthree\n"]]);
  const answers: Answers = { files, asked: [], created: [], permission: "allow_once" };
  return Object.assign(answers, { handle: (peer: Peer<V1ClientCalls>): void => register(peer, answers) });
}

function register(peer: Peer<V1ClientCalls>, answers: Answers): void {
  const { files, asked } = answers;
  peer.handle("session/request_permission", ({ options }) => {
    asked.push("session/request_permission");
    const option = options.find(({ kind }) => kind === answers.permission);
    if (option === undefined) return { outcome: { outcome: "cancelled" } };
    return { outcome: { outcome: "selected", optionId: option.optionId } };
  });
  peer.handle("fs/read_text_file", ({ path, line, limit }) => {
    asked.push(`fs/read_text_file ${path} ${line ?? "-"} ${limit ?? "-"}`);
    const content = files.get(path);
    if (content === undefined) throw new RpcError(-32002, "Resource not found");
    return { content };
  });
  peer.handle("fs/write_text_file", ({ path, content }) => {
    asked.push(`fs/write_text_file ${path}`);
    files.set(path, content);
    return {};
  });
  let killed = (): void => {};
  peer.handle("terminal/create", (request) => {
    asked.push("terminal/create");
    answers.created.push(request);
    return { terminalId: "t1" };
  });
  peer.handle("terminal/output", () => ({ output: "line 1\n", truncated: false }));
  peer.handle("terminal/wait_for_exit", () => {
    asked.push("terminal/wait_for_exit");
    if (answers.created.at(-1)?.args?.[1]?.includes("still here") !== true) return { exitCode: 0 };
    return new Promise((resolve) => {
      killed = () => resolve({ signal: "SIGTERM" });
    });
  });
  peer.handle("terminal/kill", () => {
    asked.push("terminal/kill");
    killed();
    return {};
  });
  peer.handle("terminal/release", () => {
    asked.push("terminal/release");
    return {};
  });
  peer.handle("elicitation/create", ({ mode }) => {
    asked.push(`elicitation/create ${mode}`);
    return mode === "form" ? { action: "accept", content: { name: "Ada", age: 36 } } : { action: "accept" };
  });
  peer.handleNotification(
    "elicitation/complete",
    ({ elicitationId }) => void asked.push(`elicitation/complete ${elicitationId}`),
  );
}
