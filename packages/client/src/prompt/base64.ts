/** Base64 of bytes; what is a string is base64 already. */
export function base64Of(data: Uint8Array | string): string {
  if (typeof data === "string") return data;
  const step = 0x8000; // arguments of one call
  let binary = "";
  for (let start = 0; start < data.length; start += step) {
    binary += String.fromCharCode(...data.subarray(start, start + step));
  }
  return btoa(binary);
}
