import type { Recording } from "@acp-kit/testing/recording";

// What the page and its server send each other; the server's side is in src/node/page.

export type AccessMode = "real" | "refused" | "manual";

export interface AccessSetting {
  readonly files: AccessMode;
  readonly terminals: AccessMode;
}

/** Something that is wrong with a recorded message. */
export interface Mark {
  readonly entry: number;
  readonly kind: "schema" | "rule";
  readonly id: string;
  readonly message: string;
  readonly link?: string;
}

/** The state beside the wire. */
export interface ServerState {
  /** `agent`: the page controls it; `proxy`: another client does; `recording`: it is over; `page`: a file without a server. */
  readonly mode: "agent" | "proxy" | "recording" | "page";
  readonly title?: string;
  readonly cwd?: string;
  readonly status?: { readonly is: "starting" | "running" } | { readonly is: "ended"; readonly reason: string };
  readonly access?: AccessSetting;
  readonly initialize?: unknown;
  readonly problems?: number;
  readonly other?: Recording;
}

export type ServerMessage =
  | ({ readonly is: "hello"; readonly header: string; readonly count: number } & ServerState)
  | ({ readonly is: "state" } & ServerState)
  | { readonly is: "entries"; readonly from: number }
  | { readonly is: "marks"; readonly marks: readonly Mark[] }
  | { readonly is: "checked"; readonly number: number; readonly faults: readonly string[] };

export type Command =
  | { readonly do: "request"; readonly method: string; readonly params?: unknown }
  | { readonly do: "send"; readonly message: unknown }
  | { readonly do: "check"; readonly number: number; readonly message: unknown }
  | { readonly do: "access"; readonly setting: AccessSetting }
  | { readonly do: "restart"; readonly initialize?: unknown }
  | { readonly do: "stop" };
