import { emptyTranscript, type Readable, type Session, type TranscriptSnapshot } from "@acp-kit/client";
import { constant } from "../store/value.js";
import { useSelected } from "./use-selected.js";

const empty: Readable<TranscriptSnapshot> = constant(emptyTranscript);
const allOf = <Part>(snapshot: TranscriptSnapshot): Part => snapshot as Part;

/**
 * Returns the transcript of a session, or the part that `selector` returns. The component renders again only when that
 * part changes, as compared by `isEqual` (default `Object.is`). Without a session, on a server and during hydration, it
 * reads the empty transcript.
 *
 * @throws {TypeError} when the client was connected with `transcript: false`.
 * @example
 * ```tsx
 * const entries = useTranscript(session, ({ entries }) => entries);
 * ```
 */
export function useTranscript(session: Session | undefined): TranscriptSnapshot;
export function useTranscript<Part>(
  session: Session | undefined,
  selector: (snapshot: TranscriptSnapshot) => Part,
  isEqual?: (a: Part, b: Part) => boolean,
): Part;
export function useTranscript<Part>(
  session: Session | undefined,
  selector: (snapshot: TranscriptSnapshot) => Part = allOf,
  isEqual: (a: Part, b: Part) => boolean = Object.is,
): Part {
  return useSelected(session?.transcript ?? empty, emptyTranscript, selector, isEqual);
}
