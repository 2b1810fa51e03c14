import type { AgentCapabilities } from "@acp-kit/types";
import { cleanLine, cleanOutput } from "../chat/text/clean.js";
import type { Colours } from "../colours.js";
import { columns } from "../text-columns.js";
import type { AuthWay, Examination, ExitFindings, McpFindings, OfferedOption, SessionFindings } from "./examination.js";

/** Formats an examination as text. */
export function examinationText(examination: Examination, colours: Colours): string {
  const { bold, dim, green, red } = colours;
  const { command, url, startupMs, protocolVersion, agent, capabilities, authMethods, oddities } = examination;
  const rows: string[][] = [];
  const row = (name: string, ...lines: readonly string[]): void => {
    const clean = (line: string): string => cleanOutput(line, colours.enabled).replaceAll("\n", " ");
    rows.push(...lines.map((line, index) => [index === 0 ? bold(name) : "", clean(line)]));
  };
  if (startupMs === null) row("start", `${red("✗")} ${examination.error ?? "failed"}`);
  else {
    row("start", `${green("✓")} initialized after ${startupMs} ms`);
    row(
      "agent",
      agent === null
        ? dim("without a name")
        : `${agent.title ?? agent.name} ${agent.version} ${dim(`(${agent.name})`)}`,
    );
    row("protocol", `version ${protocolVersion}`);
    row("prompts", ["text, links", ...promptFeatures(capabilities ?? {})].join(", "));
    row("sessions", ["new", ...sessionFeatures(capabilities ?? {})].join(", "));
    row("MCP servers", ["stdio (required of every agent)", ...mcpFeatures(capabilities ?? {})].join(", "));
    row(
      "login",
      ...(authMethods.length === 0 ? ["none advertised"] : authMethods.map((method) => authWay(method, colours))),
    );
    if (examination.session !== null) row("a session", ...sessionLines(examination.session, colours));
    row(
      "oddities",
      ...(oddities.length === 0
        ? ["none noticed"]
        : oddities.map(({ rule, message, count }) => `${rule}${count > 1 ? ` ×${count}` : ""}: ${message}`)),
    );
    if (examination.exit !== null)
      row("exit", exitLine(examination.exit, colours), ...leftLines(examination.exit, colours));
    if (examination.error !== undefined) row("error", `${red("✗")} ${examination.error}`);
  }
  const text = `${[dim(url ?? command.join(" ")), "", ...columns(rows)].join("\n")}\n`;
  const { version1 } = examination;
  if (version1 === undefined) return text;
  return `${text}\n${version1 === null ? "The agent does not speak version 1 of the protocol.\n" : examinationText(version1, colours)}`;
}

function promptFeatures({ promptCapabilities = {} }: AgentCapabilities): string[] {
  const { image, audio, embeddedContext } = promptCapabilities;
  return [
    ...(image ? ["images"] : []),
    ...(audio ? ["audio"] : []),
    ...(embeddedContext ? ["embedded resources"] : []),
  ];
}

/**
 * Returns the names of the agent's session features. `load` is a flag; the other features are the keys of an object,
 * including keys of later protocol versions.
 */
function sessionFeatures({ loadSession, sessionCapabilities }: AgentCapabilities): string[] {
  const others = Object.entries(sessionCapabilities ?? {}).filter(
    ([name, value]) => name !== "_meta" && value != null && value !== false,
  );
  return [...(loadSession ? ["load"] : []), ...others.map(([name]) => name)];
}

function mcpFeatures({ mcpCapabilities = {} }: AgentCapabilities): string[] {
  return ["http", "sse", "acp"].filter((name) => (mcpCapabilities as Readonly<Record<string, unknown>>)[name] === true);
}

function authWay({ id, name, kind }: AuthWay, { dim }: Colours): string {
  return `${name} ${dim(`(${id}, ${kind.replace("_", " ")})`)}`;
}

function sessionLines(session: SessionFindings, { green, yellow, red, dim }: Colours): string[] {
  if (session.state === "skipped") return [dim("not opened")];
  if (session.state === "login_needed") return [`${yellow("!")} needs a login first`];
  if (session.state === "failed") return [`${red("✗")} ${session.error}`];
  const names = session.commands.map((name) => `/${name}`);
  return [
    `${green("✓")} opened`,
    ...session.options.map((option) => optionLine(option, dim)),
    ...(session.options.length === 0 ? ["nothing to set"] : []),
    `commands: ${shortened(names, 8) || "none"}`,
    mcpLine(session.mcp, green, yellow),
  ];
}

function mcpLine({ way, listsTools }: McpFindings, green: Colours["green"], yellow: Colours["yellow"]): string {
  if (way === null) return "MCP server: not tried, because the agent does not run on this machine";
  if (listsTools) return `${green("✓")} lists the tools of an MCP server (${way})`;
  return `${yellow("!")} did not list the tools of an MCP server (${way}) before the first prompt`;
}

function optionLine({ id, type, value, choices }: OfferedOption, dim: Colours["dim"]): string {
  if (type === "boolean") return `${id}: ${value ? "on" : "off"}`;
  const others = choices.filter((choice) => choice !== value).map(String);
  return `${id}: ${value} ${dim(others.length > 0 ? `(or ${shortened(others, 6)})` : "")}`;
}

function exitLine({ byItself, ms, exitCode, signal }: ExitFindings, { green, yellow }: Colours): string {
  if (byItself) return `${green("✓")} ${ms} ms after its input ended, with code ${exitCode}`;
  return `${yellow("!")} not by itself: ended by ${signal ?? "SIGTERM"} ${ms} ms after its input ended`;
}

/** Returns a line for each process that the agent left running: here a part of the result, not a warning. */
function leftLines({ detachedProcesses }: ExitFindings, { yellow }: Colours): string[] {
  return detachedProcesses.map(
    ({ pid, command, ended }) =>
      `${yellow("!")} left running: ${cleanLine(command)} (pid ${pid})${ended ? ", ended now" : "; it could not be ended"}`,
  );
}

function shortened(words: readonly string[], most: number): string {
  const rest = words.length - most;
  return [...words.slice(0, most), ...(rest > 0 ? [`and ${rest} more`] : [])].join(", ");
}
