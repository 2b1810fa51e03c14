import type { Annotations, ContentBlock } from "@acp-kit/types";
import { base64Of } from "./base64.js";
import { fileUri, nameOf } from "./file-uri.js";
import { mimeTypeOf } from "./mime-type.js";

/** The options that all content blocks have. */
export interface BlockOptions {
  readonly annotations?: Annotations;
  readonly meta?: Record<string, unknown>;
}

/** Options of a link block. */
export interface LinkOptions extends BlockOptions {
  /** The name of the link; by default the last segment of the path or the URI. */
  readonly name?: string;
  /** The MIME type of the linked file; by default derived from the extension of the name, if that is known. */
  readonly mimeType?: string;
  readonly title?: string;
  readonly description?: string;
  /** The size of the linked file in bytes. */
  readonly size?: number;
}

/** Options of an image or audio block. */
export interface MediaOptions extends BlockOptions {
  /** The MIME type of the content, such as `image/png`. */
  readonly mimeType: string;
  /**
   * The URI of the image. With `unsupportedBlocks: "link"`, an agent that accepts no images receives a link to this
   * URI.
   */
  readonly uri?: string;
}

/** The location of an embedded resource: the absolute path of a file, or a URI of any scheme. */
export type ResourceSource = { readonly path: string } | { readonly uri: string };

/** The content of an embedded resource: text, or bytes as a `Uint8Array` or as a base64 string. */
export type ResourceContent = { readonly text: string } | { readonly blob: Uint8Array | string };

/**
 * Builds a prompt block by block. A builder is immutable: each call returns a new builder.
 *
 * The builder does not check whether the agent accepts the blocks. `session.prompt` checks this; see its option
 * `unsupportedBlocks`.
 *
 * @see https://agentclientprotocol.com/protocol/v1/content
 */
export class PromptBuilder {
  readonly blocks: readonly ContentBlock[];

  /** @internal Created by {@link prompt}. */
  constructor(blocks: readonly ContentBlock[]) {
    this.blocks = blocks;
  }

  /** Adds a text block, which agents read as Markdown. */
  text(text: string, options: BlockOptions = {}): PromptBuilder {
    return this.block({ type: "text", text, ...common(options) });
  }

  /**
   * Adds a link to a file, given its absolute path. Every agent accepts links.
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
   * Adds an embedded resource, such as an editor buffer with unsaved changes. The agent needs the capability
   * `promptCapabilities.embeddedContext`.
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

  /** Adds an image block from bytes or a base64 string. The agent needs the capability `promptCapabilities.image`. */
  image(data: Uint8Array | string, { mimeType, uri, ...options }: MediaOptions): PromptBuilder {
    const block = { type: "image", data: base64Of(data), mimeType, ...common(options) } as const;
    return this.block(uri === undefined ? block : { ...block, uri });
  }

  /** Adds an audio block from bytes or a base64 string. The agent needs the capability `promptCapabilities.audio`. */
  audio(data: Uint8Array | string, { mimeType, ...options }: Omit<MediaOptions, "uri">): PromptBuilder {
    return this.block({ type: "audio", data: base64Of(data), mimeType, ...common(options) });
  }

  /** Adds a content block unchanged. */
  block(block: ContentBlock): PromptBuilder {
    return new PromptBuilder([...this.blocks, block]);
  }
}

/**
 * Creates an empty prompt builder.
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
