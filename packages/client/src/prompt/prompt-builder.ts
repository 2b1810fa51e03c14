import type { Annotations, ContentBlock } from "@acp-kit/types";
import { base64Of } from "./base64.js";
import { fileUri, nameOf } from "./file-uri.js";
import { mimeTypeOf } from "./mime-type.js";

/** What every block may have. */
export interface BlockOptions {
  readonly annotations?: Annotations;
  readonly meta?: Record<string, unknown>;
}

/** What is known of something that is linked. */
export interface LinkOptions extends BlockOptions {
  /** Default: the last name in the path or the URI. */
  readonly name?: string;
  /** Default: by the end of the name, where that is known. */
  readonly mimeType?: string;
  readonly title?: string;
  readonly description?: string;
  /** In bytes. */
  readonly size?: number;
}

/** What an image or a sound is. */
export interface MediaOptions extends BlockOptions {
  /** Such as `image/png`. */
  readonly mimeType: string;
  /** Where it can be had too: what an agent is told that takes no images, if that is asked for. */
  readonly uri?: string;
}

/** Where embedded content comes from: the absolute path of a file, or a URI of any scheme. */
export type ResourceSource = { readonly path: string } | { readonly uri: string };

/** The content of a resource: text, or bytes (as such, or in base64). */
export type ResourceContent = { readonly text: string } | { readonly blob: Uint8Array | string };

/**
 * A prompt, put together block by block. Immutable: each call returns another one.
 *
 * What an agent takes is checked when the prompt is sent: see `unsupportedBlocks` in the options of `session.prompt`.
 *
 * @see https://agentclientprotocol.com/protocol/v1/content
 */
export class PromptBuilder {
  readonly blocks: readonly ContentBlock[];

  /** @internal Made by {@link prompt}. */
  constructor(blocks: readonly ContentBlock[]) {
    this.blocks = blocks;
  }

  /** Text, which agents read as Markdown. */
  text(text: string, options: BlockOptions = {}): PromptBuilder {
    return this.block({ type: "text", text, ...common(options) });
  }

  /**
   * A link to a file, by its absolute path. Every agent takes it.
   *
   * @throws {TypeError} for a path that is not absolute.
   */
  file(path: string, options: LinkOptions = {}): PromptBuilder {
    return this.resourceLink(fileUri(path), { name: nameOf(path), ...options });
  }

  /** A link to anything that has a URI. Every agent takes it. */
  resourceLink(uri: string, options: LinkOptions = {}): PromptBuilder {
    const { name = nameOf(uri), mimeType = mimeTypeOf(name), title, description, size } = options;
    return this.block({
      type: "resource_link",
      uri,
      name,
      ...(mimeType !== undefined && { mimeType }),
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(size !== undefined && { size }),
      ...common(options),
    });
  }

  /**
   * Content that is sent with the prompt, such as a buffer that is not saved. For agents with `promptCapabilities.embeddedContext`.
   *
   * @throws {TypeError} for a path that is not absolute.
   */
  resource(
    source: ResourceSource & ResourceContent,
    options: BlockOptions & { readonly mimeType?: string } = {},
  ): PromptBuilder {
    const uri = "path" in source ? fileUri(source.path) : source.uri;
    const { mimeType = mimeTypeOf(nameOf(uri)) } = options;
    const content = "text" in source ? { text: source.text } : { blob: base64Of(source.blob) };
    const resource = { uri, ...content, ...(mimeType !== undefined && { mimeType }) };
    return this.block({ type: "resource", resource, ...common(options) });
  }

  /** An image, as bytes or in base64. For agents with `promptCapabilities.image`. */
  image(data: Uint8Array | string, { mimeType, uri, ...options }: MediaOptions): PromptBuilder {
    const block = { type: "image", data: base64Of(data), mimeType, ...common(options) } as const;
    return this.block(uri === undefined ? block : { ...block, uri });
  }

  /** A sound, as bytes or in base64. For agents with `promptCapabilities.audio`. */
  audio(data: Uint8Array | string, { mimeType, ...options }: Omit<MediaOptions, "uri">): PromptBuilder {
    return this.block({ type: "audio", data: base64Of(data), mimeType, ...common(options) });
  }

  /** A block as it is. */
  block(block: ContentBlock): PromptBuilder {
    return new PromptBuilder([...this.blocks, block]);
  }
}

/**
 * Begins a prompt.
 *
 * @example
 * ```ts
 * session.prompt(prompt().text("Explain this").file("/work/a.ts"));
 * ```
 */
export function prompt(): PromptBuilder {
  return new PromptBuilder([]);
}

function common({ annotations, meta }: BlockOptions): { annotations?: Annotations; _meta?: Record<string, unknown> } {
  return { ...(annotations && { annotations }), ...(meta && { _meta: meta }) };
}
