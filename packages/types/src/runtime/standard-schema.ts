import type { Issue } from "./issue.js";

/**
 * The Standard Schema v1 interface, as the part of it that our decoders and validators implement. Written out because
 * the interface is meant to be copied: a structural match needs no dependency.
 *
 * @see https://standardschema.dev
 */
export interface DecoderSchema<Output> {
  readonly "~standard": DecoderSchemaProps<Output>;
}

/** What stands behind `~standard`. */
export interface DecoderSchemaProps<Output> {
  readonly version: 1;
  readonly vendor: "acp-kit";
  readonly validate: (value: unknown) => DecoderSchemaResult<Output>;
  /** Only for type inference; absent at run time. */
  readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
}

/** `issues` is absent when the value is good. */
export type DecoderSchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };
