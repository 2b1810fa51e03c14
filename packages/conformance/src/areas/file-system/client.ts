import { type ClientCheck, type ClientScenario, turnScenario } from "../../client/checks.js";
import type { ClientScenarioContext } from "../../client/client-context.js";
import type { Turn } from "../../client/turn.js";
import { isRefusal, isRefusalWith } from "../../response-matchers.js";
import { asText, isAbsolutePath, type Json, member, shown } from "../../wire/values.js";

const lines = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`);

const content = `${lines.join("\n")}\n`;

interface Place {
  readonly turn: Turn;
  /** The `cwd` of the session of the prompt. */
  readonly cwd: string;
  /** An empty folder inside `cwd`. */
  readonly folder: string;
}

const withLineFeeds = (text: string): string => text.replaceAll("\r\n", "\n");

/** Returns the lines `from` to `to`, without and with a newline at the end: the specification allows both. */
const cut = (from: number, to: number): readonly string[] => {
  const text = lines.slice(from - 1, to).join("\n");
  return [text, `${text}\n`];
};

/** The checks of clients: file system. */
export const fileSystemClientChecks: readonly ClientCheck[] = [
  readScenario("files/read", ["FS-04"], {
    title: "fs/read_text_file returns the content of the file",
    run: async (context, { turn, folder }) => {
      const text = "Grüße \u{1f9ea}\nsecond line\r\nlast line without an end";
      const path = await aFile(context, folder, text);
      const response = await turn.request("fs/read_text_file", { path });
      // A client returns the content of its editor, and many editors unify the line ends of a file. The specification
      // leaves them open.
      if (withLineFeeds(asText(member(response.result, "content"))) === withLineFeeds(text)) return;
      context.fail("FS-04", { sent: `\`fs/read_text_file\` of a file with ${shown(text)}`, received: response });
    },
  }),
  readScenario("files/read-lines", ["FS-05"], {
    title: "`line` is the first line, counted from 1, and `limit` the number of lines",
    run: async (context, { turn, folder }) => {
      const path = await aFile(context, folder);
      await needsReading(context, turn, path);
      await reads(context, turn, { path, line: 3, limit: 2 }, cut(3, 4), "FS-05");
      await reads(context, turn, { path, line: 9 }, cut(9, 10), "FS-05");
      await reads(context, turn, { path, limit: 2 }, cut(1, 2), "FS-05");
      await reads(context, turn, { path, line: 1, limit: 1 }, cut(1, 1), "FS-05");
      await reads(context, turn, { path, line: null, limit: null }, [content], "FS-05");
    },
  }),
  readScenario("files/read-odd-lines", ["FS-07"], {
    title: "A request for lines that the file doesn't have gets a response",
    run: async (context, { turn, folder }) => {
      const path = await aFile(context, folder);
      for (const line of [0, 11, 1000]) await turn.request("fs/read_text_file", { path, line });
      await turn.request("fs/read_text_file", { path, limit: 0 });
      await context.survived(turn, "FS-07", "lines that the file doesn't have");
    },
  }),
  readScenario("files/read-malformed-lines", ["FS-06", "WIRE-04"], {
    title: "A malformed `line` or `limit` is refused",
    run: async (context, { turn, folder }) => {
      const path = await aFile(context, folder);
      await needsReading(context, turn, path);
      for (const odd of [{ line: -1 }, { line: 1.5 }, { limit: "2" }]) {
        const response = await turn.request("fs/read_text_file", { path, ...odd });
        context.expect("FS-06", response, isRefusalWith(-32602), `\`fs/read_text_file\` with ${shown(odd)}`);
      }
    },
  }),
  readScenario("files/read-missing", ["FS-10", "ERR-06"], {
    title: "A file that doesn't exist is an error",
    run: async (context, { turn, folder }) => {
      await needsReading(context, turn, await aFile(context, folder));
      const path = context.host.join(folder, "no such file.txt");
      const response = await turn.request("fs/read_text_file", { path });
      context.expect("FS-10", response, isRefusalWith(-32002), "`fs/read_text_file` of a file that doesn't exist");
    },
  }),
  readScenario("files/read-relative", ["WIRE-04", "FS-03"], {
    title: "A relative path is refused on reading",
    run: async (context, { turn, cwd, folder }) => {
      const file = await aFile(context, folder);
      await needsReading(context, turn, file);
      // A file that exists, so that only the form of the path can be refused
      const path = context.host.relative(cwd, file);
      const response = await turn.request("fs/read_text_file", { path });
      context.expect(
        "WIRE-04",
        response,
        isRefusal,
        `\`fs/read_text_file\` of the relative path ${shown(path)}; the client reads the same file by its absolute path`,
      );
    },
  }),
  readScenario("files/read-without-session", ["WIRE-04", "FS-11"], {
    title: "Reading without a `sessionId`, or without a path, is refused",
    run: async (context, { turn, folder }) => {
      const path = await aFile(context, folder);
      await needsReading(context, turn, path);
      const response = await turn.agent.request(
        "fs/read_text_file",
        { path },
        "`fs/read_text_file` without a `sessionId`",
      );
      context.expect("WIRE-04", response, isRefusalWith(-32602), "`fs/read_text_file` without a `sessionId`");
      const unnamed = await turn.request("fs/read_text_file", {});
      context.expect("WIRE-04", unnamed, isRefusalWith(-32602), "`fs/read_text_file` without a path");
    },
  }),
  readScenario("files/read-outside", ["DIR-13", "FS-12"], {
    title: "A file outside the session's roots is not read",
    run: async (context, { turn }) => {
      const path = await aFile(context, await outsideOf(context, turn));
      const response = await turn.request("fs/read_text_file", { path });
      context.expect("DIR-13", response, isRefusal, `\`fs/read_text_file\` of ${path}, outside \`cwd\``);
    },
  }),
  readScenario("files/read-through-link", ["DIR-12"], {
    title: "The client does not follow a link to a file outside the session's roots",
    run: async (context, { turn, folder }) => {
      const target = await aFile(context, await outsideOf(context, turn));
      const path = context.host.join(folder, "link.txt");
      if (!(await context.host.link(target, path))) context.skip("This machine allows no symbolic links.");
      const response = await turn.request("fs/read_text_file", { path });
      context.expect("DIR-12", response, isRefusal, "`fs/read_text_file` of a link to a file outside `cwd`");
    },
  }),
  writeScenario("files/write", ["FS-08", "FS-09"], {
    title: "Writing creates a file with exactly that content, and the result is an object",
    run: async (context, { turn, folder }) => {
      const control = (): Promise<string> => aFile(context, folder);
      await writes(context, turn, context.host.join(folder, "new file.txt"), "FS-08", control);
    },
  }),
  writeScenario("files/overwrite", ["FS-13"], {
    title: "Writing replaces the whole content",
    run: async (context, { turn, folder }) => {
      const control = async (): Promise<string> => context.host.join(folder, "new file.txt");
      await writes(context, turn, await aFile(context, folder), "FS-13", control);
    },
  }),
  writeScenario("files/write-relative", ["WIRE-04", "FS-03"], {
    title: "A relative path is refused on writing",
    run: async (context, { turn, cwd, folder }) => {
      const path = context.host.relative(cwd, context.host.join(folder, "a.txt")); // the kit removes the folder
      const response = await turn.request("fs/write_text_file", { path, content: "" });
      context.expect("WIRE-04", response, isRefusal, `\`fs/write_text_file\` to the relative path ${shown(path)}`);
    },
  }),
  writeScenario("files/write-outside", ["DIR-13", "FS-12"], {
    title: "A file outside the session's roots is not written",
    run: async (context, { turn }) => {
      const path = context.host.join(await outsideOf(context, turn), "new.txt");
      const response = await turn.request("fs/write_text_file", { path, content: "out" });
      context.expect("DIR-13", response, isRefusal, `\`fs/write_text_file\` to ${path}, outside \`cwd\``);
    },
  }),
];

/** Returns the folders of the session that was prompted. The client may have opened other sessions in other folders. */
function rootsOf({ agent, sessionId }: Turn): readonly string[] {
  return agent.wire.state.sessions.get(asText(sessionId))?.roots ?? [];
}

/** Creates an empty folder in the session's `cwd`. */
async function placeOf(context: ClientScenarioContext, turn: Turn): Promise<Place> {
  const [cwd] = rootsOf(turn);
  if (cwd === undefined || !isAbsolutePath(cwd))
    return context.skip(
      `The session's \`cwd\` is ${shown(cwd)}, which is not absolute: the kit has no folder for files.`,
    );
  try {
    return { turn, cwd, folder: await context.host.makeFolder(cwd) };
  } catch (error) {
    return context.skip(`The kit could not create a folder in the session's \`cwd\` ${cwd}: ${String(error)}`);
  }
}

/** Creates an empty folder outside of the session. Skips if the session contains temporary files. */
async function outsideOf(context: ClientScenarioContext, turn: Turn): Promise<string> {
  const folder = await context.host.makeOutsideFolder();
  for (const root of rootsOf(turn)) {
    if (await context.host.contains(root, folder))
      context.skip(
        `The session's folder ${root} contains the folder for temporary files, so the kit has no file outside of it.`,
      );
  }
  return folder;
}

interface FileScenario {
  readonly title: string;
  run(context: ClientScenarioContext, place: Place): Promise<void>;
}

function readScenario(id: string, verifies: readonly string[], details: FileScenario): ClientScenario {
  return fileScenario(id, verifies, "clientCapabilities.fs.readTextFile", details);
}

function writeScenario(id: string, verifies: readonly string[], details: FileScenario): ClientScenario {
  return fileScenario(id, verifies, "clientCapabilities.fs.writeTextFile", details);
}

function fileScenario(
  id: string,
  verifies: readonly string[],
  capability: string,
  { title, run }: FileScenario,
): ClientScenario {
  return turnScenario(id, verifies, {
    title,
    needs: [capability],
    run: async (context, turn) => run(context, await placeOf(context, turn)),
  });
}

async function aFile(context: ClientScenarioContext, folder: string, text: string = content): Promise<string> {
  const path = context.host.join(folder, "a file.txt");
  await context.host.writeFile(path, text);
  return path;
}

/** The control of scenarios about reading: a plain request for an existing file has to succeed. */
async function needsReading(context: ClientScenarioContext, turn: Turn, path: string): Promise<void> {
  const response = await turn.request("fs/read_text_file", { path });
  if (response.error) context.inconclusive(`A plain read of an existing file fails, too: ${shown(response)}`);
}

async function reads(
  context: ClientScenarioContext,
  turn: Turn,
  params: Json,
  expected: readonly string[],
  requirement: string,
): Promise<void> {
  const response = await turn.request("fs/read_text_file", params);
  if (expected.includes(asText(member(response.result, "content")))) return;
  context.note(requirement, {
    sent: `\`fs/read_text_file\` with ${shown(params)}, of a file with ten lines, from "line 1" to "line 10"`,
    received: response,
    explanation: `The content is ${shown(expected[0])}.`,
  });
}

/**
 * Requests the client to write a file, and checks the file. If the client refuses, requests it to write another file,
 * whose path `control` returns: a new file if the first one existed, or the reverse. If the client refuses that too,
 * the scenario is inconclusive.
 */
async function writes(
  context: ClientScenarioContext,
  turn: Turn,
  path: string,
  requirement: string,
  control: () => Promise<string>,
): Promise<void> {
  const text = "Grüße \u{1f9ea}\nno newline at the end";
  const response = await turn.request("fs/write_text_file", { path, content: text });
  if (response.error) {
    const other = await turn.request("fs/write_text_file", { path: await control(), content: text });
    if (other.error)
      context.inconclusive(`The client refuses to write any file, maybe for its user: ${shown(response)}`);
  }
  const found = await context.host.readFile(path);
  if (response.error || found !== text) {
    context.fail(requirement, {
      sent: `\`fs/write_text_file\` with the content ${shown(text)}`,
      received: response.error ? shown(response) : `The file contains ${shown(found)}.`,
      explanation: "The file contains exactly the new content.",
    });
  }
  if (requirement !== "FS-08" || (typeof response.result === "object" && response.result !== null)) return;
  context.note("FS-09", { sent: "`fs/write_text_file`", received: response });
}
