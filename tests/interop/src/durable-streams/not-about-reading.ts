/**
 * Groups and tests of the suite that are skipped for a journal, each with its reason. A journal is read-only, has no
 * end, is not expired by clients, and consists of JSON. `journal-writer.ts` handles the POST requests of the suite; it
 * is only a test helper.
 */
export const notAboutReading: Readonly<Record<string, string>> = {
  // Groups
  "Append Operations": "writing",
  "TTL and Expiry Validation": "writing: the host's retention decides how long entries stay",
  "TTL and Expiry Edge Cases": "writing: the host's retention decides how long entries stay",
  "TTL Expiration Behavior": "writing: the host's retention decides how long entries stay",
  "HEAD Metadata Edge Cases": "writing: clients set no time to live",
  "Content-Type Validation": "writing: a journal has one type",
  "Case-Insensitivity": "writing: types of appends",
  "Sequence Ordering Properties": "writing",
  "Concurrent Writer Stress Tests": "writing",
  "Idempotent Producer Operations": "writing",
  "Stream Closure": "a journal is not closed: its session may always go on",
  "Fork - Creation": "writing",
  "Fork - Reading": "a journal can't be forked",
  "Fork - Appending": "writing",
  "Fork - Recursive": "writing",
  "Fork - Live Modes": "a journal can't be forked",
  "Fork - Deletion and Lifecycle": "writing",
  "Fork - TTL and Expiry": "writing",
  "Fork - JSON Mode": "a journal can't be forked",
  "Fork - Edge Cases": "writing",
  // Tests
  "should reject create with different config (409)": "writing",
  "should properly isolate recreated stream after delete": "writing",
  "should delete a stream": "writing",
  "should return 409 on PUT with different config": "writing",
  "should return 404 on POST to non-existent stream": "writing",
  "should return 409 on content-type mismatch": "writing",
  "should return 404 on DELETE non-existent stream": "writing",
  "should return 204 on successful DELETE": "writing",
  "should enforce sequence ordering": "writing",
  'should enforce lexicographic seq ordering ("2" then "10" rejects)': "writing",
  "should reject duplicate seq values": "writing",
  "should include X-Content-Type-Options: nosniff on PUT responses": "writing",
  "should include X-Content-Type-Options: nosniff on POST responses": "writing",
  "should reject empty POST body with 400": "writing",
  "should enforce case-sensitive seq ordering": "writing",
  "should return Location header on 201": "writing",
  "should reject missing Content-Type on POST": "writing",
  "should handle large payload appropriately": "writing: the size of one append",
  "should reject POST with empty array body": "writing",
  "should reject invalid JSON with 400": "writing",
  "should reject empty JSON arrays with 400": "writing",
  "base64 SSE catch-up pairs every data event with a control event": "a journal is JSON, which needs no base64",
  "should auto-detect binary streams and return base64 encoded data in SSE mode":
    "a journal is JSON, which needs no base64",
  "should include Stream-SSE-Data-Encoding header for binary streams": "a journal is JSON, which needs no base64",
  "should base64 encode data events only, control events remain JSON": "a journal is JSON, which needs no base64",
  "should handle empty binary payload with auto-detected base64 encoding": "a journal is JSON, which needs no base64",
  "should handle large binary payload with auto-detected base64 encoding": "a journal is JSON, which needs no base64",
  "should handle binary data with special bytes using auto-detected base64 encoding":
    "a journal is JSON, which needs no base64",
  "should auto-detect base64 encoding for application/x-protobuf streams": "a journal is JSON, which needs no base64",
  "should auto-detect base64 encoding for image/png streams": "a journal is JSON, which needs no base64",
  "should handle offset=now with auto-detected base64 encoding for binary streams":
    "a journal is JSON, which needs no base64",
};
