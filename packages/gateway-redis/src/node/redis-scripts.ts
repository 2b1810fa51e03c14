import { createHash } from "node:crypto";

/** A script that Redis runs atomically. */
export interface RedisScript {
  readonly name: string;
  readonly text: string;
  readonly sha: string;
}

function script(name: string, flags: string, body: string): RedisScript {
  const text = `#!lua${flags && ` flags=${flags}`}\n${body.trim()}\n`;
  return { name, text, sha: createHash("sha1").update(text).digest("hex") };
}

/** Milliseconds since 1970 by the server's clock, as an integer without an exponent. */
const now = `
local t = redis.call('TIME')
local now = string.format('%.0f', t[1] * 1000 + math.floor(t[2] / 1000))`;

/**
 * The scripts of all atomic operations of the engine. Each script uses only keys with the same hash tag. Operations
 * that free memory or keep a lease also run when Redis is full (`allow-oom`). When Redis is full, it rejects any other
 * operation before the operation begins.
 */
export const redisScripts: Readonly<
  Record<
    "create" | "delete" | "unlist" | "acquire" | "append" | "read" | "trim" | "release" | "renew" | "send",
    RedisScript
  >
> = {
  /**
   * KEYS session, epoch of a deleted session. ARGV place, id, cwd, additional folders, state. → 1, or the place of the
   * session that exists.
   */
  create: script(
    "create",
    "",
    `${now}
if redis.call('EXISTS', KEYS[1]) == 1 then return redis.call('HMGET', KEYS[1], 'place', 'cwd') end
local epoch = string.format('%.0f', tonumber(redis.call('GET', KEYS[2]) or '-1') + 1)
redis.call('HSET', KEYS[1], 'place', ARGV[1], 'id', ARGV[2], 'cwd', ARGV[3], 'more', ARGV[4], 'state', ARGV[5],
  'created', now, 'updated', now, 'epoch', epoch, 'last', '0', 'last_epoch', '0', 'trimmed', '0', 'trimmed_epoch', '0',
  'chars', '0', 'trimmed_chars', '0')
return 1`,
  ),
  /**
   * KEYS session, journal, epoch of the deleted session. ARGV bell. → nothing, or place and folder of the session that
   * was deleted.
   *
   * The epoch is kept for one hour, measured by the server's clock. If the clock is set back to an earlier time, a new
   * session with the same id gets higher epochs.
   */
  delete: script(
    "delete",
    "allow-oom",
    `local s = redis.call('HMGET', KEYS[1], 'place', 'cwd', 'epoch')
if not s[1] then return false end
redis.call('UNLINK', KEYS[1], KEYS[2])
redis.call('SET', KEYS[3], s[3], 'EX', 3600)
redis.call('PUBLISH', ARGV[1], '')
return {s[1], s[2]}`,
  ),
  /** KEYS directory. ARGV member, place. Removes a deleted session from the directory, unless it was created again. */
  unlist: script(
    "unlist",
    "allow-oom",
    `if redis.call('ZSCORE', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('ZREM', KEYS[1], ARGV[1]) end
return 1`,
  ),
  /**
   * KEYS session. ARGV replica, a replica that is no longer a member. → missing; taken, holder; held, epoch, record.
   * An epoch is at least the current time, so that after a failover that lost a lease, no later lease has the same
   * epoch.
   */
  acquire: script(
    "acquire",
    "allow-oom",
    `${now}
local s = redis.call('HMGET', KEYS[1], 'epoch', 'holder')
if not s[1] then return {'missing'} end
if s[2] and s[2] ~= ARGV[1] and s[2] ~= ARGV[2] then return {'taken', s[2]} end
local epoch = string.format('%.0f', math.max(tonumber(s[1]) + 1, tonumber(now)))
redis.call('HSET', KEYS[1], 'epoch', epoch, 'holder', ARGV[1])
return {'held', epoch, redis.call('HGETALL', KEYS[1])}`,
  ),
  /**
   * KEYS session, journal. ARGV epoch, number before the first entry, bell, has a title, title, has a state, state,
   * number of the last entry, parts. Each part has four arguments: its id, the number of its first entry and a hyphen,
   * its number of characters, its texts. → appended, misplaced and last, stale, missing.
   *
   * Lua's `..` writes the first 14 digits of a number: enough for 10^14 characters.
   */
  append: script(
    "append",
    "",
    `${now}
local s = redis.call('HMGET', KEYS[1], 'epoch', 'last', 'chars')
if not s[1] then return {'missing'} end
if s[1] ~= ARGV[1] then return {'stale'} end
if s[2] ~= ARGV[2] then return {'misplaced', s[2]} end
if #ARGV == 8 then return {'appended'} end
local chars = s[3]
for i = 9, #ARGV, 4 do
  chars = chars + ARGV[i + 2]
  redis.call('XADD', KEYS[2], ARGV[i], ARGV[i + 1] .. chars, ARGV[i + 3])
end
redis.call('HSET', KEYS[1], 'last', ARGV[8], 'last_epoch', ARGV[1], 'chars', chars, 'updated', now)
if ARGV[4] == '1' then redis.call('HSET', KEYS[1], 'title', ARGV[5]) elseif ARGV[4] == '0' then redis.call('HDEL', KEYS[1], 'title') end
if ARGV[6] == '1' then redis.call('HSET', KEYS[1], 'state', ARGV[7]) end
redis.call('PUBLISH', ARGV[3], '')
return {'appended'}`,
  ),
  /**
   * KEYS session, journal. ARGV number and epoch of the position or nothing, entries, characters, entries of a short
   * page. → missing; expired, first; ahead, last; page, last, number before the page, parts; range, last, number before
   * the page, id of its last part.
   *
   * A page consists of whole parts. The caller drops the entries before and after the page. The totals of a few parts
   * show how many parts fit. At most the first part has more characters than the page.
   *
   * A long page is only a range, because scripts read parts several times more slowly than commands do.
   */
  read: script(
    "read",
    "no-writes",
    `local s = redis.call('HMGET', KEYS[1], 'last', 'last_epoch', 'chars', 'trimmed', 'trimmed_epoch', 'trimmed_chars')
if not s[1] then return {'missing'} end
local seq, epoch = ARGV[1], ARGV[2]
if seq == '' then seq, epoch = s[4], s[5] end
local after, last = tonumber(seq), tonumber(s[1])
if after < tonumber(s[4]) then return {'expired', s[4]} end
local function part(number)
  if number == last then return s[1] .. '-' .. s[2], tonumber(s[3]) end
  local found = redis.call('XRANGE', KEYS[2], string.format('%.0f', number), '+', 'COUNT', '1')[1]
  return found[1], tonumber(string.match(found[2][1], '%d+$'))
end
local read
if seq == s[4] then
  if epoch == s[5] then read = tonumber(s[6]) end
elseif after <= last then
  local id, chars = part(after)
  if string.match(id, '%d+$') == epoch then read = chars end
end
if not read then return {'ahead', s[1], s[2]} end
if after == last or ARGV[3] == '0' then return {'page', s[1], s[2], seq, {}} end
local limit = read + tonumber(ARGV[4])
local low, high = after + 1, math.min(after + tonumber(ARGV[3]), last)
local try, to = high, nil
while low < high do
  local id, chars = part(try)
  if chars <= limit then low, to = try, id else high = try - 1 end
  try = math.ceil((low + high) / 2)
end
to = to or part(low)
if low - after > tonumber(ARGV[5]) then return {'range', s[1], s[2], seq, to} end
return {'page', s[1], s[2], seq, redis.call('XRANGE', KEYS[2], string.format('%.0f', after + 1), to)}`,
  ),
  /**
   * KEYS session, journal. ARGV epoch, first number to keep, maximum number of entries to remove. → 1 when the trim is
   * complete.
   *
   * A part stays whole if it contains an entry to keep. The field `trimmed` hides its other entries from readers.
   */
  trim: script(
    "trim",
    "allow-oom",
    `local s = redis.call('HMGET', KEYS[1], 'epoch', 'last', 'trimmed')
if s[1] ~= ARGV[1] then return 1 end
local trimmed, last = tonumber(s[3]), math.min(tonumber(ARGV[2]) - 1, tonumber(s[2]))
local step = math.min(last, trimmed + tonumber(ARGV[3]))
if step <= trimmed then return 1 end
local at = string.format('%.0f', step)
local part = redis.call('XRANGE', KEYS[2], at, '+', 'COUNT', '1')[1]
redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f', step + 1))
redis.call('HSET', KEYS[1], 'trimmed', at, 'trimmed_epoch', string.match(part[1], '%d+$'), 'trimmed_chars', string.match(part[2][1], '%d+$'))
if step == last then return 1 end
return 0`,
  ),
  /** KEYS session. ARGV epoch. */
  release: script(
    "release",
    "allow-oom",
    `if redis.call('HGET', KEYS[1], 'epoch') == ARGV[1] then redis.call('HDEL', KEYS[1], 'holder') end
return 1`,
  ),
  /** KEYS member, mail. ARGV milliseconds. → 1 if it was a member. */
  renew: script(
    "renew",
    "allow-oom",
    `local was = redis.call('EXISTS', KEYS[1])
redis.call('SET', KEYS[1], '', 'PX', ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
return was`,
  ),
  /** KEYS member, mail. ARGV message, bell. → 1 if there is such a member. */
  send: script(
    "send",
    "",
    `local left = redis.call('PTTL', KEYS[1])
if left <= 0 then return 0 end
redis.call('XADD', KEYS[2], '*', 'm', ARGV[1])
redis.call('PEXPIRE', KEYS[2], left)
redis.call('PUBLISH', ARGV[2], '')
return 1`,
  ),
};
