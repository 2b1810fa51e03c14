import type { Message, Mutant } from "../wire/mutation.js";
import { alter, answer, call, dies, drop, result, update } from "../wire/operators.js";

const permission = result("session/request_permission");
const outcomes = (change: (result: Message) => unknown) => alter(permission, (message) => change(message.result));

/** The rules about responses to the agent: permissions, files, terminals, elicitations, cancellation. */
export const turnMutants: readonly Mutant[] = [
  {
    rule: "PERM-04",
    does: "selects an option that was not offered",
    shows: ["permissions/answered", "payload/permission-option"],
    mutation: outcomes(({ outcome }) => (outcome.optionId = "mine")),
  },
  {
    rule: "PERM-04",
    does: "responds to a permission request with the outcome as a string",
    shows: ["permissions/answered", "schema/permission-answer"],
    mutation: alter(permission, (message) => (message.result = message.result.outcome)),
  },
  {
    rule: "CANCEL-04",
    also: ["PERM-06"],
    does: "allows open permission requests when it cancels the turn",
    shows: ["cancellation/pending-permissions"],
    mutation: outcomes((sent) => (sent.outcome = { outcome: "selected", optionId: "yes" })),
  },
  {
    rule: "CANCEL-04",
    also: ["PERM-06"],
    does: "never responds to open permission requests when it cancels the turn",
    shows: ["cancellation/pending-permissions"],
    mutation: drop(permission),
  },
  {
    rule: "CANCEL-02",
    does: "sends session/cancel as a request",
    shows: ["cancellation/turn", "lifecycle/cancel-is"],
    mutation: alter(call("session/cancel"), (message) => (message.id = "stop")),
  },
  {
    rule: "CANCEL-18",
    does: "responds to a cancelled request with a wrong error",
    shows: ["cancellation/of-a-request"],
    mutation: alter(
      ({ id }) => id === "to be cancelled",
      (message) => {
        delete message.result;
        message.error = { code: -32603, message: "Cancelled" };
      },
    ),
  },
  {
    rule: "CFG-08",
    also: ["CFG-07"],
    does: "exits after an unknown category of a config option",
    shows: ["updates/config-categories"],
    mutation: dies(
      (message, wire) =>
        update("config_option_update")(message, wire) &&
        message.params.update.configOptions.some(({ category }: Message) => category === "later"),
    ),
  },
  {
    rule: "FS-08",
    does: "responds to fs/write_text_file without writing the file",
    shows: ["files/write"],
    mutation: answer(call("fs/write_text_file"), { result: {} }),
  },
  {
    rule: "FS-03",
    does: "reads relative paths",
    shows: ["files/read-relative"],
    mutation: answer(call("fs/read_text_file"), { result: { content: "{}" } }),
  },
  {
    rule: "FS-11",
    does: "reads files without a session",
    shows: ["files/read-without-session"],
    mutation: answer(call("fs/read_text_file"), { result: { content: "x" } }),
  },
  {
    rule: "DIR-13",
    also: ["FS-12"],
    does: "reads files outside of the session's directories",
    shows: ["files/read-outside"],
    mutation: answer(call("fs/read_text_file"), { result: { content: "x" } }),
  },
  {
    rule: "DIR-12",
    does: "follows links out of the session's directories",
    shows: ["files/read-through-link"],
    mutation: answer(call("fs/read_text_file"), { result: { content: "x" } }),
  },
  {
    rule: "TERM-03",
    does: "responds to malformed terminal/create requests with a terminal",
    shows: ["terminals/malformed"],
    mutation: answer(call("terminal/create"), { result: { terminalId: "t" } }),
  },
  {
    rule: "TERM-08",
    does: "cuts the output of a command within a character",
    shows: ["terminals/output-limit-characters"],
    mutation: alter(result("terminal/output"), ({ result: sent }) => (sent.output = `\uFFFD${sent.output.slice(1)}`)),
  },
  {
    rule: "ELICIT-12",
    does: "does not respond to a form with a costly pattern",
    shows: ["elicitation/costly-pattern"],
    mutation: () => {
      let hangs = false;
      return {
        fromKit(message) {
          hangs ||= message.params?.requestedSchema?.properties?.value?.pattern !== undefined;
          return hangs ? [] : undefined;
        },
      };
    },
  },
  {
    rule: "ELICIT-19",
    does: "opens URLs although it advertises only forms",
    shows: ["elicitation/other-mode"],
    mutation: alter(call("initialize"), ({ params }) => delete params.clientCapabilities.elicitation.url),
  },
  {
    rule: "ELICIT-34",
    also: ["ELICIT-31"],
    does: "exits after the completion of an unknown elicitation",
    shows: ["elicitation/completions"],
    mutation: dies(call("elicitation/complete")),
  },
  {
    rule: "ELICIT-40",
    does: "requests a URL before its user agrees",
    shows: ["elicitation/no-prefetch"],
    mutation: () => ({
      fromKit(message, wire) {
        if (message.method !== "elicitation/create" || message.params.url === undefined) return undefined;
        const pass = (): void => wire.toPeer(message);
        fetch(message.params.url).then(pass, pass);
        return [];
      },
    }),
  },
];
