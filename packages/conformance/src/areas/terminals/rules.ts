import { defineFeatureRules } from "../../requirements/define-rules.js";
import { ifClientHas } from "../../requirements/remedies.js";
import type { Requirement } from "../../requirements/requirement.js";

/** The rules for terminals, in which an agent runs commands through the client. */
export const terminalsRules: readonly Requirement[] = defineFeatureRules("terminal", {
  "TERM-01 agent MUST docs": {
    rule: "The agent checks `clientCapabilities.terminal` first, and calls no `terminal/*` method if it is false or absent.",
    feature: null,
    spec: "page terminals#checking-support: If terminal is false or not present, the Agent MUST NOT attempt to call any terminal methods.",
    brokenBy: ["CAP-15"],
    remedy: ifClientHas("terminal/* methods", "terminal is true"),
    official: { "ACP-CLIENTCAP-002": "mandatory" },
  },
  "TERM-02 client FACT docs": "`terminal:true` means that the client supports all five methods.",
  "TERM-03 both MUST schema": {
    rule: "`terminal/create` requires `sessionId` and `command`. `args?: string[]`, `env?: {name,value}[]`, `cwd?: abs path|null` and `outputByteLimit?: uint64|null` are optional. The other four methods require `sessionId` and `terminalId`.",
    spec: "schema CreateTerminalRequest/required",
    remedy: "Send and expect the members of terminal/* methods in the types of the schema.",
  },
  "TERM-04 client FACT docs":
    "The client immediately responds to `terminal/create` with `{terminalId}`, and does not wait for the command.",
  "TERM-05 agent MUST docs, schema": {
    rule: "If the agent sends a `cwd` with `terminal/create`, it is absolute. The default is not specified; this package recommends the `cwd` of the session.",
    spec: "page overview#argument-requirements: All file paths in the protocol MUST be absolute.",
    remedy: "Resolve the cwd of a terminal against the cwd of the session before you send it.",
  },
  "TERM-06 client FACT docs; harness":
    "The client passes each entry of `args` as a separate argument. `env` adds variables to the environment.",
  "TERM-07 client FACT docs, schema":
    "With `outputByteLimit`, the client keeps the **last** bytes: it cuts output from the beginning, and sends `truncated:true`.",
  "TERM-08 client MUST docs, schema": {
    rule: "If the output exceeds `outputByteLimit`, the client cuts it at a character boundary, even if fewer bytes than the limit remain.",
    spec: "schema CreateTerminalRequest/properties/outputByteLimit: The Client MUST ensure truncation happens at a character boundary to maintain valid string output, even if this means the retained output is slightly less than the specified limit.",
    remedy: "Cut output at a character boundary, even if fewer bytes than the limit remain.",
  },
  "TERM-09 client FACT docs, schema":
    "The client responds to `terminal/output` immediately, with the current `{output, truncated}`. `exitStatus {exitCode?, signal?}` is present only after the command has ended.",
  "TERM-10 client FACT docs, schema":
    "The client responds to `terminal/wait_for_exit` when the command has ended, with `{exitCode?, signal?}` at the top level of the result (not nested).",
  "TERM-11 client FACT derived":
    "The client responds to all of several concurrent `terminal/wait_for_exit` requests, and to those that arrive after the command has ended.",
  "TERM-12 client FACT docs, schema":
    "On `terminal/kill`, the client ends the command, responds with `{}`, and keeps the id valid: `terminal/output` and `terminal/wait_for_exit` still work.",
  "TERM-13 agent MUST docs": {
    rule: "The agent releases every terminal that it created with `terminal/release`, also after a kill, after errors and after cancelled turns.",
    spec: "page terminals#executing-commands: The Agent MUST release the terminal using terminal/release when it's no longer needed.",
    remedy: "Send terminal/release for every terminal that you created, in a finally block.",
  },
  "TERM-14 client FACT docs; harness":
    "On `terminal/release`, the client kills a command that still runs, frees the resources, and responds with `{}`.",
  "TERM-15 client FACT docs, schema": "After `terminal/release`, the id is invalid for all other `terminal/*` calls.",
  "TERM-16 client SHOULD later page": "The client responds to an unknown terminal id with `-32002`.",
  "TERM-17 agent FACT docs, schema":
    'The agent may embed a terminal in a tool call with `{type:"terminal",terminalId}`, before it releases the terminal.',
  "TERM-18 client SHOULD docs; review":
    "The client continues to show output that is embedded in a tool call after the release.",
  "TERM-19 agent FACT docs":
    "For a timeout, the agent creates the terminal, starts a timer and sends `terminal/wait_for_exit`. If the timer ends first, the agent sends `terminal/kill` and then `terminal/output`. Finally it sends `terminal/release`.",
  "TERM-20 client FACT derived":
    "Version 1 does not specify the response to an unknown command (an error or an exit code), to a pending `terminal/wait_for_exit` during the release (it should get one), or to `terminal/kill` after the exit (it should succeed). It also leaves open the default limit of the output, whether the terminal is a PTY or a pipe, and the order of stdout and stderr.",
  "TERM-21 client FACT derived":
    "A terminal belongs to the session of its `terminal/create`. The use of its id with another session is an error.",
});
