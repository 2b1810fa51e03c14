import type { PromptResult } from "@acp-kit/agent";
import type { Scene } from "./scene.js";

/** One feature of the protocol, demonstrated when the user names it. */
export interface EverythingCommand {
  /** Without the slash. */
  readonly name: string;
  /** What it shows, in one sentence. */
  readonly description: string;
  /** What may follow the name. */
  readonly hint?: string;
  /** The client capability that the command needs: `clientCapabilities.terminal`. */
  readonly needs?: string;
  play(scene: Scene): PromptResult | Promise<PromptResult>;
}
