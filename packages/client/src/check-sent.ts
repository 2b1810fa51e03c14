import { type Decoder, formatIssue } from "@acp-kit/types/decode";

/**
 * Checks the params of a request before it is sent. Types don't hold what plain JavaScript passes, and an agent answers
 * a wrong member with "Invalid params" at best.
 *
 * @throws {TypeError} that names the first member that the agent would refuse or ignore.
 */
export function checkSent(method: string, decode: Decoder<unknown>, params: object): void {
  const result = decode.try(params);
  const problem = result.ok ? result.salvaged[0] : result.issues[0];
  if (problem === undefined) return;
  const message = problem.message.replace(/^left out: /, "");
  throw new TypeError(`${method} was not sent: ${formatIssue({ ...problem, message })}`);
}
