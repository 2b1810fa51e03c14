/**
 * The purposes of prompts, each with the action that the agent should perform. An agent with a model acts only on text,
 * so each purpose needs a prompt text. If an agent doesn't perform an action, its scenarios are skipped.
 */
export const promptPurposes = {
  text: "responds with a short text",
  long: "runs a turn that lasts many seconds, until the kit cancels it",
  permission: "asks for permission before it does something",
  edit: "writes {path} after asking for permission",
  read: "reads the file {path}",
  write: "writes the file {path}",
  terminal: "runs a command that ends immediately",
  longTerminal: "runs a long command, until the kit cancels the turn",
  plan: "sends a plan and its progress",
  tools: "calls tools",
  thought: "sends its thoughts",
  content: "responds with content blocks other than text",
  form: "asks the user to fill in a form",
  url: "asks the user to open a web page",
  usage: "reports how much of its context window it uses",
  title: "gives the session a title",
  mode: "changes the mode by itself",
  config: "changes a config option by itself",
  commands: "changes its slash commands",
  notice: "shows a notice",
  compaction: "compacts its context",
  error: "fails, so that the turn ends with an error",
} as const;

export type PromptPurpose = keyof typeof promptPurposes;

/** A text for each purpose, with `{path}` and `{cwd}`. Scenarios for a purpose without a text are skipped. */
export type Prompts = { readonly [Purpose in PromptPurpose]?: string };

/** Texts that most models follow. */
const plain: Prompts = {
  text: "Answer with the single word PONG. Use no tools.",
  long: "Count from 1 to 2000 in words, one number per line, without leaving any out. Use no tools.",
  permission: "Replace the content of the file {path} by the word hello. Use your file writing tool.",
  edit: "Replace the content of the file {path} by the word hello. Use your file writing tool.",
  read: "Read the file {path} with your file reading tool and reply with its first line.",
  write: "Write the text hello into the file {path} with your file writing tool.",
  terminal: "Run the shell command: echo conformance",
  longTerminal: "Run the shell command: sleep 60",
  tools: "Read the file {path} with your file reading tool and reply with its first line.",
  plan: "Make a plan of three steps for adding a README to a project, using your plan or to-do tool. Don't carry it out.",
};

/** The commands of `@acp-kit/everything-agent`. */
const everything: Prompts = {
  text: "hello",
  long: "/slow 60",
  permission: "/permission 1",
  edit: "/edit {path}",
  read: "/read {path}",
  write: "/write {path} hello",
  terminal: "/run",
  longTerminal: "/timeout 60000",
  plan: "/plan",
  tools: "/tools",
  thought: "/think",
  content: "/content",
  form: "/form",
  url: "/url",
  usage: "/usage",
  title: "/title Conformance",
  mode: "/mode plan",
  config: "/config",
  commands: "/commands",
  notice: "/notice",
  compaction: "/compact",
  error: "/error",
};

/** Ready-made prompts: `plain` for most agents with a model, `everything` for `@acp-kit/everything-agent`. */
export const promptPresets: Readonly<Record<"plain" | "everything", Prompts>> = { plain, everything };
