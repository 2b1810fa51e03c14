import type { Issue } from "./issue.js";

/**
 * The part of the Standard Schema v1 interface that our decoders and validators implement. Copied because the interface is
 * meant to be: a structural match needs no dependency.
 *
 * @see https://standardschema.dev
 */
export interface DecoderSchema<Output> {
  readonly "~standard": DecoderSchemaProps<Output>;
}

/** The value of `~standard`. */
export interface DecoderSchemaProps<Output> {
  readonly version: 1;
  readonly vendor: "acp-kit";
  readonly validate: (value: unknown) => DecoderSchemaResult<Output>;
  /** Only for type inference; absent at run time. */
  readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
}

/** `issues` is absent for a valid value. */
export type DecoderSchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };
