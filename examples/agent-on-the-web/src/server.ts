// #region server
import { type Authenticate, type Principal, tokenOf } from "@acp-kit/http";
import { type HttpAgentServer, type ServeHttpOptions, serveHttp } from "@acp-kit/http/node";
import { agentOf } from "./agent.js";

/** Serves a separate agent to each user at /acp, and the page at all other paths. */
export function serve(
  users: ReadonlyMap<string, Principal>,
  page: ServeHttpOptions["fallback"],
): Promise<HttpAgentServer> {
  return serveHttp(({ principal }) => agentOf(principal), {
    authenticate: authenticate(users),
    ...(page && { fallback: page }),
  });
}
// #endregion server

// #region auth
/** Authenticates a browser by the cookie of its login, and any other program by a token. */
function authenticate(users: ReadonlyMap<string, Principal>): Authenticate {
  return (request) => users.get(cookieOf(request, "session") ?? tokenOf(request) ?? "");
}

function cookieOf(request: Request, name: string): string | undefined {
  const pairs = (request.headers.get("cookie") ?? "").split("; ");
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
// #endregion auth
