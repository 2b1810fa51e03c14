// #region prompt
import { type PromptTurn, prompt, type Session } from "@acp-kit/client";

export function explain(session: Session, path: string, unsaved: string): PromptTurn {
  const built = prompt()
    .text("Explain this")
    .file(path) // a link: file:///work/a%20b.ts, text/typescript
    .resource({ path, text: unsaved }); // its content
  return session.prompt(built, { unsupportedBlocks: "link" }); // an agent that accepts no embedded content gets a link
}
// #endregion prompt
