import type { PromptResult } from "@acp-kit/agent";
import type { Scene } from "./scene.js";

/** A slash command that shows one feature of the protocol. */
export interface EverythingCommand {
  /** The name of the command, without the slash. */
  readonly name: string;
  /** A sentence that says what the command shows. */
  readonly description: string;
  /** A hint about the arguments of the command. */
  readonly hint?: string;
  /** The client capability that the command needs, such as `clientCapabilities.terminal`. */
  readonly needs?: string;
  play(scene: Scene): PromptResult | Promise<PromptResult>;
}
