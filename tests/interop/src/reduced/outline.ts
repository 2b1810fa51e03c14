import type { ToolCallEntry, TranscriptEntry, TranscriptSnapshot } from "@acp-kit/client";
import type { IncomingContentBlock, IncomingToolCallContent } from "@acp-kit/types";

/** Returns a transcript as text, as a plain client would show it. */
export function outline(transcript: TranscriptSnapshot): string {
  const { entries, turns, title, commands, modes, configOptions = [], usage } = transcript;
  const lines = [`# ${title ?? "(no title)"}`, `commands: ${commands.length}`];
  if (modes) lines.push(`mode: ${modes.currentModeId} of ${modes.availableModes.map(({ id }) => id).join(", ")}`);
  for (const option of configOptions) {
    lines.push(`option ${option.id}: ${"currentValue" in option ? String(option.currentValue) : option.type}`);
  }
  if (usage.context) lines.push(`context: ${usage.context.used} of ${usage.context.size} tokens`);
  if (usage.total) lines.push(`tokens: ${usage.total.totalTokens}, in the last turn ${usage.lastTurn?.totalTokens}`);
  if (usage.cost) lines.push(`cost: ${usage.cost.amount} ${usage.cost.currency}`);
  let turn: number | undefined;
  for (const [index, entry] of entries.entries()) {
    if (index === 0 || entry.turn !== turn) {
      if (turn !== undefined) lines.push(...ending(turns[turn]));
      turn = entry.turn;
      lines.push(
        "",
        turn === undefined ? "== outside of turns" : `== turn ${turn + 1}${entry.replayed ? ", replayed" : ""}`,
      );
    }
    lines.push(...show(entry));
  }
  if (turn !== undefined) lines.push(...ending(turns[turn]));
  for (const { terminalId, owner, output, exit } of Object.values(transcript.terminals)) {
    lines.push(
      "",
      `== terminal ${terminalId} of the ${owner}${exit ? `, exited ${exit.exitCode ?? exit.signal}` : ""}`,
    );
    lines.push(...indent(output));
  }
  return `${lines.join("\n")}\n`;
}

function ending(turn: TranscriptSnapshot["turns"][number] | undefined): string[] {
  if (turn === undefined || turn.state === "replayed") return [];
  const how = turn.error ? `failed: ${turn.error.message}` : (turn.stopReason ?? turn.state);
  return [`-- ${how}${turn.usage ? `, ${turn.usage.totalTokens} tokens` : ""}`];
}

function show(entry: TranscriptEntry): string[] {
  switch (entry.type) {
    case "user_message":
    case "agent_message":
    case "thought": {
      const [first = "", ...rest] = entry.content.flatMap((block) => describe(block).split("\n"));
      return [`${names[entry.type]}: ${first}`, ...rest.map((line) => `    ${line}`)];
    }
    case "tool_call":
      return tool(entry);
    case "plan":
      return ["plan:", ...entry.entries.map(({ status, content }) => `    [${status}] ${content}`)];
    case "notice":
      return [`${entry.severity}: ${entry.title}`];
    case "compaction":
      return [`compaction: ${entry.status}`];
    default:
      return [`unknown: ${entry.update.sessionUpdate}`];
  }
}

const names = { user_message: "user", agent_message: "agent", thought: "thought" } as const;

function tool({ kind, title, status, unfinished, permission, locations, content, rawInput }: ToolCallEntry): string[] {
  return [
    `tool ${kind} "${title}": ${unfinished ? `${status}, never finished` : status}`,
    ...(permission ? [`    permission: ${permitted(permission)}`] : []),
    ...(rawInput === undefined ? [] : [`    input: ${brief(JSON.stringify(rawInput))}`]),
    ...locations.map(({ path, line }) => `    at ${path}${line == null ? "" : `:${line}`}`),
    ...content.flatMap((item) => indent(describeContent(item))),
  ];
}

function permitted({ state, outcome, chosen, options }: NonNullable<ToolCallEntry["permission"]>): string {
  const offered = options.map(({ kind }) => kind).join(", ");
  return `${state === "open" ? "asked" : (chosen?.kind ?? outcome?.outcome)} (${offered})`;
}

function describeContent(item: IncomingToolCallContent): string {
  if (item.type === "content") return describe(item.content);
  if (item.type === "terminal") return `(terminal ${item.terminalId})`;
  if (item.type !== "diff") return `(${item.type})`;
  const [before, after] = [item.oldText, item.newText].map((text) => brief(JSON.stringify(text ?? null)));
  return `diff of ${item.path}: ${before} → ${after}`;
}

function describe(block: IncomingContentBlock): string {
  if (block.type === "text") return block.text;
  if (block.type === "resource_link") return `(link ${block.uri})`;
  if (block.type === "resource") return `(resource ${block.resource.uri})`;
  return `(${block.type})`;
}

function brief(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`;
}

function indent(text: string): string[] {
  const lines = text.replace(/\n$/, "").split("\n");
  const shown = lines.slice(0, 8).map((line) => `    ${brief(line)}`);
  return lines.length > 8 ? [...shown, `    (${lines.length - 8} more lines)`] : shown;
}
