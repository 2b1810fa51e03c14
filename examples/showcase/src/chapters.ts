import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StopReason } from "@acp-kit/types";
import type { Stage } from "./stage.js";

/** The first content of the file that the agent reads and changes. */
export const greeting = "Hello, world!\nHallo, Welt!\n";

/** One prompt of the conversation. */
export interface Chapter {
  readonly title: string;
  /** The text of the prompt: a command of the everything agent, and a text for any other agent. */
  readonly prompt: { readonly everything: string; readonly any: string };
  readonly stopReason: StopReason;
  /** Cancel as soon as a tool call runs, or after this number of milliseconds if the agent sends no tool call. */
  readonly cancelAfterMs?: number;
  /** The expected events with the everything agent, in wire order. See `Witness`. */
  readonly events: readonly string[];
  /** Further checks after the turn. */
  readonly check?: (stage: Stage) => void | Promise<void>;
  /**
   * The event that the chapter is about. If an agent other than the everything agent does not produce it, the chapter
   * counts as skipped.
   */
  readonly shows: { readonly event: RegExp; readonly what: string };
}

/** The conversation. */
export const chapters: readonly Chapter[] = [
  {
    title: "A plan",
    prompt: {
      everything: "/plan",
      any: "Make a plan of three short steps for translating greeting.txt. Change nothing.",
    },
    stopReason: "end_turn",
    events: ["session_info_update", "plan", "plan", "plan", "plan", "plan", "agent_message_chunk"],
    shows: { event: /^plan$/, what: "a plan" },
  },
  {
    title: "Thoughts",
    prompt: {
      everything: "/think",
      any: "How many vowels are in 'acknowledge'? Think first, then answer in one sentence.",
    },
    stopReason: "end_turn",
    events: ["agent_thought_chunk", "agent_thought_chunk", "agent_thought_chunk", "agent_message_chunk"],
    shows: { event: /^agent_thought_chunk$/, what: "thoughts" },
  },
  {
    title: "Reading a file through the client",
    prompt: { everything: "/read greeting.txt", any: "Read greeting.txt and quote its first line." },
    stopReason: "end_turn",
    events: ["tool_call read in_progress", "→ fs/read_text_file", "tool_call_update completed", "agent_message_chunk"],
    shows: { event: /^→ fs\/read_text_file$/, what: "reading through the client" },
  },
  {
    title: "A diff, with a permission",
    prompt: { everything: "/edit greeting.txt", any: "Add the line 'Bonjour, tout le monde!' to greeting.txt." },
    stopReason: "end_turn",
    events: [
      "tool_call read",
      "→ fs/read_text_file",
      "tool_call_update completed",
      "tool_call edit pending",
      "→ session/request_permission",
      "agent_message_chunk",
      "tool_call_update in_progress",
      "→ fs/write_text_file",
      "tool_call_update completed",
      "agent_message_chunk",
    ],
    async check({ checks, cwd }) {
      const file = await readFile(join(cwd, "greeting.txt"), "utf8");
      checks.equal(file, `${greeting}One more line, by the everything agent.\n`, "the file on the disk");
    },
    shows: { event: /^→ session\/request_permission$/, what: "a permission request" },
  },
  {
    title: "A command in the client's terminal",
    prompt: { everything: "/run", any: "Run the command `node --version` and show me its output." },
    stopReason: "end_turn",
    events: [
      "tool_call execute pending",
      "→ terminal/create",
      "tool_call_update",
      "tool_call_update in_progress",
      "→ terminal/wait_for_exit",
      "tool_call_update*",
      "tool_call_update completed",
      "→ terminal/release",
      "agent_message_chunk",
    ],
    check: ({ checks, witness }) => {
      checks.equal(witness.lines, ["line 1", "line 2", "line 3"], "what the command wrote");
    },
    shows: { event: /^→ terminal\/create$/, what: "a command in the client's terminal" },
  },
  {
    title: "Cancelling a turn",
    prompt: { everything: "/slow", any: "Write a very long story about a slow turtle, at least five thousand words." },
    stopReason: "cancelled",
    cancelAfterMs: 2_000,
    events: ["agent_message_chunk", "tool_call think in_progress", "→ cancel", "tool_call_update failed"],
    shows: { event: /^→ cancel$/, what: "a turn long enough to be cancelled" },
  },
];
