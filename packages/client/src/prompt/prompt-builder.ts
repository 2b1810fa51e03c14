import type { Annotations, ContentBlock } from "@acp-kit/types";
import { base64Of } from "./base64.js";
import { fileUri, nameOf } from "./file-uri.js";
import { mimeTypeOf } from "./mime-type.js";

/** Options of every block. */
export interface BlockOptions {
  readonly annotations?: Annotations;
  readonly meta?: Record<string, unknown>;
}

/** Options of a link. */
export interface LinkOptions extends BlockOptions {
  /** Default: the last name in the path or the URI. */
  readonly name?: string;
  /** Default: by the extension of the name, if known. */
  readonly mimeType?: string;
  readonly title?: string;
  readonly description?: string;
  /** In bytes. */
  readonly size?: number;
}

/** Options of an image or a sound. */
export interface MediaOptions extends BlockOptions {
  /** Such as `image/png`. */
  readonly mimeType: string;
  /** A URI of the image, sent as a link to an agent that accepts no images if `unsupportedBlocks` is `"link"`. */
  readonly uri?: string;
}

/** The source of embedded content: the absolute path of a file, or a URI of any scheme. */
export type ResourceSource = { readonly path: string } | { readonly uri: string };

/** The content of a resource: text, or bytes (as such, or in base64). */
export type ResourceContent = { readonly text: string } | { readonly blob: Uint8Array | string };

/**
 * Builds a prompt block by block. Immutable: each call returns a new builder.
 *
 * Whether the agent accepts the blocks is checked when the prompt is sent: see `unsupportedBlocks` in the options of `session.prompt`.
 *
 * @see https://agentclientprotocol.com/protocol/v1/content
 */
export class PromptBuilder {
  readonly blocks: readonly ContentBlock[];

  /** @internal Created by {@link prompt}. */
  constructor(blocks: readonly ContentBlock[]) {
    this.blocks = blocks;
  }

  /** Adds text, which agents read as Markdown. */
  text(text: string, options: BlockOptions = {}): PromptBuilder {
    return this.block({ type: "text", text, ...common(options) });
  }

  /**
   * Adds a link to a file, by its absolute path. Every agent accepts links.
   *
   * @throws {TypeError} for a path that is not absolute.
   */
  file(path: string, options: LinkOptions = {}): PromptBuilder {
    return this.resourceLink(fileUri(path), { name: nameOf(path), ...options });
  }

  /** Adds a link to a URI. Every agent accepts links. */
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
   * Adds content that is sent with the prompt, such as a buffer that is not saved. For agents with `promptCapabilities.embeddedContext`.
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

  /** Adds an image, as bytes or in base64. For agents with `promptCapabilities.image`. */
  image(data: Uint8Array | string, { mimeType, uri, ...options }: MediaOptions): PromptBuilder {
    const block = { type: "image", data: base64Of(data), mimeType, ...common(options) } as const;
    return this.block(uri === undefined ? block : { ...block, uri });
  }

  /** Adds a sound, as bytes or in base64. For agents with `promptCapabilities.audio`. */
  audio(data: Uint8Array | string, { mimeType, ...options }: Omit<MediaOptions, "uri">): PromptBuilder {
    return this.block({ type: "audio", data: base64Of(data), mimeType, ...common(options) });
  }

  /** Adds a block as it is. */
  block(block: ContentBlock): PromptBuilder {
    return new PromptBuilder([...this.blocks, block]);
  }
}

/**
 * Creates an empty prompt.
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
