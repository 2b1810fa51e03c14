import { readFileSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { TextDecoder } from "node:util";
import { type PromptBuilder, prompt } from "@acp-kit/client";
import { mimeTypeOf } from "@acp-kit/client/internal";
import { endWithout } from "../text/trim.js";
import { isInside } from "./is-inside.js";

/** The maximum size of a file that is embedded; a larger file becomes a link. */
export const maxEmbeddedBytes = 256_000;
/** The maximum size of an image or sound that is embedded; a larger image or sound becomes a link. */
export const maxMediaBytes = 5_000_000;

/** The content that an agent accepts in prompts. All agents also accept text and links. */
export interface PromptCapabilities {
  readonly embeddedContext: boolean;
  readonly image: boolean;
  readonly audio: boolean;
}

/** A prompt to send, and the problems to show to the user. */
export interface AttachedPrompt {
  readonly prompt: PromptBuilder;
  readonly problems: readonly string[];
}

/**
 * Attaches the files that a prompt names: `@src/a.ts`, `@"with spaces.md"`. Attaches only files whose real path is in
 * the folder. A name without a file stays text (`@alice`), and `problems` reports it. Text, images and sounds are
 * embedded if the agent accepts them and they are not too large; other files become links.
 */
export function attachFiles(text: string, folder: string, takes: PromptCapabilities): AttachedPrompt {
  const problems: string[] = [];
  let built = prompt().text(text);
  const attached = new Set<string>();
  for (const name of attachmentsOf(text)) {
    const found = find(name, folder);
    if (found === undefined)
      problems.push(`@${name} is sent as text, because there is no such file in ${folder}. Tab after @ lists files.`);
    else if (found.path === undefined) problems.push(`${name} is not attached, because it is outside of ${folder}`);
    else if (!attached.has(found.path)) {
      attached.add(found.path);
      built = attach(built, found.path, takes);
    }
  }
  return { prompt: built, problems };
}

/** Returns the paths after `@` in a text. */
export function attachmentsOf(text: string): string[] {
  const found = text.matchAll(/(?:^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g);
  return [...found].map(([, quoted, bare = ""]) => quoted ?? bare);
}

/** Resolves a path; `{}` if it is outside of the folder. Final punctuation may belong to the sentence. */
function find(name: string, folder: string): { readonly path?: string } | undefined {
  for (const each of new Set([name, name.slice(0, endWithout(name, ".,;:!?)]"))])) {
    try {
      const path = realpathSync(resolve(folder, each));
      return isInside(path, realpathSync(folder)) ? { path } : {};
    } catch {
      // There is no such file.
    }
  }
  return undefined;
}

function attach(built: PromptBuilder, path: string, takes: PromptCapabilities): PromptBuilder {
  const stat = statSync(path);
  const [isFile, size] = [stat.isFile(), stat.size];
  const mimeType = mimeTypeOf(path);
  const media = mimeType?.split("/")[0];
  if (isFile && mimeType !== undefined && size <= maxMediaBytes) {
    if (media === "image" && takes.image && mimeType !== "image/svg+xml")
      return built.image(readFileSync(path), { mimeType });
    if (media === "audio" && takes.audio) return built.audio(readFileSync(path), { mimeType });
  }
  const content = isFile && takes.embeddedContext && size <= maxEmbeddedBytes ? textOf(path) : undefined;
  return content === undefined ? built.file(path, isFile ? { size } : {}) : built.resource({ path, text: content });
}

/** Reads a text file. Returns `undefined` if the file isn't text or can't be read. */
function textOf(path: string): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
    return text.includes("\u0000") ? undefined : text;
  } catch {
    return undefined;
  }
}
