import { fileChange } from "@acp-kit/v2/agent";
import type { EverythingCommand } from "../command.js";

/** Shows changes of files that are not an old and a new text. Clients of version 1 get texts that name them. */
export const changes: EverythingCommand = {
  name: "changes",
  description: "Show files that are moved, deleted and changed at two places, without touching them",
  async play(scene) {
    const { cwd } = scene.session.place;
    const path = `${cwd}/notes.txt`;
    const head = `diff --git ${path} ${path}\n--- ${path}\n+++ ${path}\n`;
    const patch = `${head}@@ -1 +1 @@\n-one\n+1\n@@ -9 +9 @@\n-nine\n+9\n`;
    await scene.tool({ kind: "edit", title: "Tidy up", status: "in_progress" }, async (call) => {
      await call.add(...fileChange({ operation: "move", oldPath: `${cwd}/a.txt`, path: `${cwd}/b.txt` }));
      await scene.step();
      await call.add(...fileChange({ operation: "delete", path: `${cwd}/old.txt` }));
      await scene.step();
      await call.add(...fileChange({ operation: "modify", path }, patch));
    });
    await scene.sendText("One file was moved, one was deleted, and one was changed at two places.");
  },
};
