import { Option } from "commander";
import type { RemoteTarget } from "./agent-target.js";
import { usageFailure } from "./command-failure.js";
import type { Host } from "./host.js";
import { createLog } from "./log.js";
import { isLoopbackHost } from "./loopback.js";
import { readText } from "./user-file.js";

/** The options of the command line that choose a remote agent. */
export interface RemoteOptions {
  readonly url?: string;
  readonly token?: string;
  readonly tokenFile?: string;
}

/** The environment variable that contains the token if no option names a token. */
export const tokenVariable = "ACP_TOKEN";

/** `--url URL`. */
export function urlOption(): Option {
  return new Option("--url <url>", "use the agent at this URL (https:, wss:) instead of a command");
}

/** `--token TOKEN`. */
export function tokenOption(): Option {
  return new Option(
    "--token <token>",
    `the token for the URL; other users of the machine can see it, so prefer ${tokenVariable} or --token-file`,
  );
}

/** `--token-file FILE`. */
export function tokenFileOption(what = "a file that contains only the token for the URL"): Option {
  return new Option("--token-file <file>", what);
}

/** `--local-access`: lets a remote agent use files and terminals of this machine. */
export function localAccessOption(): Option {
  return new Option("--local-access", "let the agent of --url use the files in --cwd and run commands on this machine");
}

/**
 * Returns the remote agent of a URL and its options.
 *
 * @throws {CommandFailure} when the URL is wrong, or the token can't be read.
 */
export function remoteTarget(text: string, options: RemoteOptions, host: Host): RemoteTarget {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:", "ws:", "wss:"].includes(url.protocol)) {
    throw usageFailure(
      "The URL of an agent must begin with https:, http:, wss: or ws:, as in https://agents.example.com/acp.",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw usageFailure(
      `The URL must not contain a user or a password. Put the token into ${tokenVariable} or --token-file.`,
    );
  }
  for (const value of url.searchParams.values()) if (value.length >= 8) host.redactor?.addSecret(value);
  const token = readToken(options, host);
  if (token !== undefined && /^(http|ws):$/.test(url.protocol) && !isLoopbackHost(url.hostname)) {
    createLog(host, "warn").warn(`the token is sent unencrypted to ${url.host}: use https: or wss:`);
  }
  return { url, token };
}

/**
 * Reads the token from the option, the file, or the environment. All later output redacts the token.
 *
 * @param where the place of the path of the file, for messages: `--token-file`, or a configuration file and a key.
 * @throws {CommandFailure} when both options are given, or the file contains no token.
 */
export function readToken(
  { token, tokenFile }: Omit<RemoteOptions, "url">,
  host: Host,
  where = "--token-file",
): string | undefined {
  if (token !== undefined && tokenFile !== undefined) {
    throw usageFailure('"--token" and "--token-file" both name a token. Give one of them.');
  }
  const found = tokenFile === undefined ? (token ?? host.env[tokenVariable]) : readTokenFile(tokenFile, where);
  if (found === undefined || found === "") return undefined;
  // A header allows no other characters.
  if (!/^[\x21-\x7e]+$/.test(found)) {
    // The redactor hides a text after `--token` or `token:`, so the message contains neither.
    const place =
      tokenFile !== undefined
        ? `${where} ${tokenFile}`
        : token !== undefined
          ? "The token on the command line"
          : tokenVariable;
    throw usageFailure(
      `${place} contains characters that are not allowed in a token, such as spaces, line ends, or characters outside ASCII.`,
    );
  }
  host.redactor?.addSecret(found);
  return found;
}

function readTokenFile(path: string, where: string): string {
  const text = readText(path, `${where} ${path}`).trim();
  if (text === "") throw usageFailure(`${where} ${path} contains no token.`);
  return text;
}
