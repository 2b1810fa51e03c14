/** An entry of an archive that a test creates byte by byte, because libraries refuse to write malicious entries. */
export interface TarEntry {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** The type flag of the header. @defaultValue a file */
  readonly type?: "0" | "1" | "2" | "3" | "4" | "5" | "6" | "K" | "L" | "S" | "x";
  readonly mode?: number;
  /** The target of a link. */
  readonly link?: string;
  /** The size in the header, if it differs from the size of the content. */
  readonly size?: number;
}

/** Creates an uncompressed tar archive. */
export function tarOf(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(blocksOf), Buffer.alloc(1024)]);
}

function blocksOf({ name, content = "", type = "0", mode = 0o644, link = "", size }: TarEntry): Buffer[] {
  const body = Buffer.from(content);
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write(octal(mode, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size ?? body.length, 11), 124);
  header.write(octal(0, 11), 136);
  header.write("        ", 148);
  header.write(type, 156);
  header.write(link, 157, 100);
  header.write("ustar\0\u0030\u0030", 257);
  header.write(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    ),
    148,
  );
  header[154] = 0;
  return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}
