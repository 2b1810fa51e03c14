import { usageFailure } from "../command-failure.js";

/**
 * Checks a host of `--allow-host`, which the header `Host` of a request may contain, and returns it. Other texts, such
 * as a URL, would never match.
 *
 * @param where the place of the text, for messages: `--allow-host`, or a configuration file and a key.
 * @throws {CommandFailure} when the text is not a host.
 */
export function readHost(text: string, where: string): string {
  if (/^(?:\[[\da-f:.]+\]|[^\s/:@?#*[\]]+)(?::\d{1,5})?$/i.test(text)) return text;
  throw usageFailure(
    `${where} ${text}: a host is a name or an address, with or without a port, such as agents.example.com or [::1]:8080`,
  );
}

/**
 * Checks an origin of `--allow-origin` and returns it as browsers send it.
 *
 * @param where the place of the text, for messages: `--allow-origin`, or a configuration file and a key.
 * @throws {CommandFailure} when the text is not an origin.
 */
export function readOrigin(text: string, where: string): string {
  const origin = text.toLowerCase().replace(/\/$/, "");
  if (URL.canParse(origin) && sentOrigin(new URL(origin)) === origin) return origin;
  throw usageFailure(`${where} ${text}: an origin is a scheme and a host, such as https://app.example.com`);
}

/** `URL` has no origin for schemes that it doesn't know, such as those of browser extensions and applications. */
function sentOrigin({ origin, protocol, host }: URL): string {
  return origin === "null" && host !== "" ? `${protocol}//${host}` : origin;
}
