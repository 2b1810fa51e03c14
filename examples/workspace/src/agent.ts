import { type Agent, createAgent, isCapabilityError, isRpcError } from "@acp-kit/agent";

const folders = new Map<string, string>();

/** Works with the client's files and terminals, and tries several accesses that are not allowed. */
export const agent: Agent = createAgent({
  info: { name: "worker", version: "1.0.0" },
  newSession({ cwd }) {
    const sessionId = crypto.randomUUID();
    folders.set(sessionId, cwd);
    return { sessionId };
  },
  async prompt(turn) {
    const { client, sessionId } = turn;
    const cwd = folders.get(sessionId);
    await client.writeTextFile({ path: `${cwd}/notes/draft.txt`, content: "one\ntwo\n" });
    // #region rename
    try {
      await client.renameFile({ path: `${cwd}/notes/draft.txt`, targetPath: `${cwd}/notes/final.txt` });
    } catch (error) {
      if (!isCapabilityError(error)) throw error;
      await turn.message("This client can't rename files."); // nothing was sent
    }
    // #endregion rename
    await using terminal = await client.createTerminal({ command: "cat notes/final.txt && echo $CI" });
    await terminal.waitForExit();
    await turn.message((await terminal.output()).output);
    const closed = [
      ".env",
      ".git/config",
      "linked.txt",
      "../secret.txt",
      "link/secret.txt",
      "a\0b",
      "a/".repeat(100_000),
    ];
    for (const path of [...closed.map((name) => `${cwd}/${name}`), "/etc/passwd"]) {
      const refused = await client.readTextFile({ path }).catch((error: unknown) => error);
      if (isRpcError(refused)) await turn.message(`${refused.message}\n`);
    }
  },
});
