// A prototype with only the operations of the engine on Redis. Unlike the engine, it adds each entry to the stream by
// itself.
import { createClient } from "@redis/client";

const append = `
local s = redis.call('HMGET', KEYS[1], 'epoch', 'last')
local last = tonumber(s[2] or '0')
if (s[1] or '1') ~= ARGV[1] or last + 1 ~= tonumber(ARGV[2]) then return last end
for i = 3, #ARGV do last = last + 1; redis.call('XADD', KEYS[2], last .. '-' .. ARGV[1], 't', ARGV[i]) end
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'last', last)
redis.call('PUBLISH', KEYS[1], '')
return last`;

export async function bareRedis(url) {
  const client = createClient({ url, RESP: 2 });
  await client.connect();
  const sha = await client.sendCommand(["SCRIPT", "LOAD", append]);
  return {
    append: (session, first, texts) =>
      client.sendCommand(["EVALSHA", sha, "2", `bare:{${session}}`, `bare:{${session}}:j`, "1", `${first}`, ...texts]),
    async read(session, after, count) {
      const words = ["XRANGE", `bare:{${session}}:j`, `(${after}-1`, "+", "COUNT", `${count}`];
      const found = await client.sendCommand(words);
      return found.map(([id, [, text]]) => {
        const [seq, epoch] = id.split("-", 2);
        return { seq: Number(seq), epoch: Number(epoch), text };
      }).length;
    },
    renew: () => client.sendCommand(["SET", "bare:member", "1", "PX", "60000"]),
    close: () => client.destroy(),
  };
}
