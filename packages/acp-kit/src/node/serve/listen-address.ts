import { InvalidArgumentError } from "commander";

/** The address on which a server listens. */
export interface ListenAddress {
  readonly host: string;
  /** The port; 0 means any free port. */
  readonly port: number;
}

/** Parses `host:port`, `[::1]:port`, `:port` or `port`. The default host is 127.0.0.1. */
export function readListenAddress(text: string): ListenAddress {
  const [, bracketed, name, port = ""] = /^(?:(?:\[([\da-fA-F:.]+)\]|([^[\]:\s/]+))?:)?(\d{1,5})$/.exec(text) ?? [];
  if (port === "" || Number(port) > 65_535) {
    throw new InvalidArgumentError("Expected host:port, such as 127.0.0.1:8080 or [::1]:8080; port 0 is a free port.");
  }
  return { host: bracketed ?? name ?? "127.0.0.1", port: Number(port) };
}
