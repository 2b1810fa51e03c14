import { Failure } from "../verdict.js";
import type { AgentContext, OpenTurn, TestSession } from "./agent-context.js";
import type { Incoming, Reply } from "./agent-peer.js";
import type { ClientManners } from "./client-side.js";
import type { PromptPurpose } from "./prompt-purposes.js";

/** A request that the agent sent to its client in a turn. */
export interface Served {
  readonly session: TestSession;
  readonly turn: OpenTurn;
  readonly request: Incoming;
  readonly path: string;
}

/** The content of the file that a prompt names: some agents fail on a missing file. */
export const contentBefore = "before\n";

/** Prompts for an action that makes the agent send a request to its client. Skips when it doesn't. */
export async function served(
  context: AgentContext,
  purpose: PromptPurpose,
  method: string,
  manners: ClientManners = {},
  fileText: string = contentBefore,
): Promise<Served> {
  const session = await context.openSession(manners);
  const path = context.files.join(context.files.cwd, `${purpose}.txt`);
  await context.files.write(path, fileText);
  const turn = context.prompt(session, context.text(purpose, { path }));
  const request = await context.requestIn(session, turn, method);
  if (!request) context.skip(`the agent never sent ${method}: --prompt ${purpose}=…`);
  return { session, turn, request, path };
}

/** The turn has to end, however the client responded. */
export async function endsAnyway(
  context: AgentContext,
  { session, turn, request }: Served,
  requirement: string,
  sent: string,
): Promise<void> {
  try {
    await session.peer.answerTo(turn.asked, context.options.turnMs, requirement);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    context.fail({
      requirement,
      sent,
      received: session.peer.exit ? "the end of the process" : "no end of the turn",
      explanation: "Whatever the client's response is, the agent continues or ends the turn; it doesn't hang.",
      where: session.peer.at(turn.asked.seq, request.seq),
    });
  }
}

/** Returns a client that responds to one method with an error. */
export const refusing =
  (method: string, error: object): NonNullable<ClientManners["first"]> =>
  (request) =>
    request.method === method ? ({ error } as Reply) : undefined;
