import type { Issue } from "./issue.js";

/**
 * The part of the Standard Schema v1 interface that the decoders and validators implement. The interface is copied, as
 * Standard Schema recommends, so that no dependency is needed.
 *
 * @see https://standardschema.dev
 */
export interface DecoderSchema<Output> {
  readonly "~standard": DecoderSchemaProps<Output>;
}

/** The value of the member `~standard`. */
export interface DecoderSchemaProps<Output> {
  readonly version: 1;
  readonly vendor: "acp-kit";
  readonly validate: (value: unknown) => DecoderSchemaResult<Output>;
  /** The types for type inference; absent at run time. */
  readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
}

/** The result of a validation; `issues` is absent for a valid value. */
export type DecoderSchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };
