import { createHash } from "node:crypto";

/** A script that Redis runs as one step. */
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
 * Every operation that has to be one step. Each uses only keys with one hash tag. Those that free memory, or keep a lease, run when Redis
 * is full, too (`allow-oom`); the others are refused as a whole before they begin.
 */
export const redisScripts: Readonly<
  Record<
    "create" | "delete" | "unlist" | "acquire" | "append" | "read" | "trim" | "release" | "renew" | "send",
    RedisScript
  >
> = {
  /** KEYS session. ARGV place, id, cwd, additional folders, state. → 1, or the place of the session that exists. */
  create: script(
    "create",
    "",
    `${now}
if redis.call('EXISTS', KEYS[1]) == 1 then return redis.call('HMGET', KEYS[1], 'place', 'cwd') end
redis.call('HSET', KEYS[1], 'place', ARGV[1], 'id', ARGV[2], 'cwd', ARGV[3], 'more', ARGV[4], 'state', ARGV[5],
  'created', now, 'updated', now, 'epoch', '0', 'last', '0', 'last_epoch', '0', 'trimmed', '0', 'trimmed_epoch', '0')
return 1`,
  ),
  /** KEYS session, journal. ARGV bell. → nothing, or place and folder of the session that was deleted. */
  delete: script(
    "delete",
    "allow-oom",
    `local s = redis.call('HMGET', KEYS[1], 'place', 'cwd')
if not s[1] then return false end
redis.call('UNLINK', KEYS[1], KEYS[2])
redis.call('PUBLISH', ARGV[1], '')
return s`,
  ),
  /** KEYS directory. ARGV member, place. Removes what is left of a session that was deleted, unless it was created again. */
  unlist: script(
    "unlist",
    "allow-oom",
    `if redis.call('ZSCORE', KEYS[1], ARGV[1]) == ARGV[2] then redis.call('ZREM', KEYS[1], ARGV[1]) end
return 1`,
  ),
  /**
   * KEYS session. ARGV replica, a replica that is no member any more. → missing; taken, by whom; held, epoch, record.
   * An epoch is at least the time: after a failover that lost a lease, no later lease has the same epoch.
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
  /** KEYS session, journal. ARGV epoch, first, bell, has a title, title, has a state, state, texts. → appended, misplaced and last, stale, missing. */
  append: script(
    "append",
    "",
    `${now}
local s = redis.call('HMGET', KEYS[1], 'epoch', 'last')
if not s[1] then return {'missing'} end
if s[1] ~= ARGV[1] then return {'stale'} end
if tonumber(s[2]) + 1 ~= tonumber(ARGV[2]) then return {'misplaced', s[2]} end
if #ARGV == 7 then return {'appended'} end
local last = tonumber(s[2])
for i = 8, #ARGV do
  last = last + 1
  redis.call('XADD', KEYS[2], string.format('%.0f-', last) .. ARGV[1], 't', ARGV[i])
end
redis.call('HSET', KEYS[1], 'last', string.format('%.0f', last), 'last_epoch', ARGV[1], 'updated', now)
if ARGV[4] == '1' then redis.call('HSET', KEYS[1], 'title', ARGV[5]) elseif ARGV[4] == '0' then redis.call('HDEL', KEYS[1], 'title') end
if ARGV[6] == '1' then redis.call('HSET', KEYS[1], 'state', ARGV[7]) end
redis.call('PUBLISH', ARGV[3], '')
return {'appended'}`,
  ),
  /** KEYS session, journal. ARGV number and epoch of the position or nothing, entries, bytes. → missing; expired, first; ahead, last; page, last, entries. */
  read: script(
    "read",
    "no-writes",
    `local s = redis.call('HMGET', KEYS[1], 'last', 'last_epoch', 'trimmed', 'trimmed_epoch')
if not s[1] then return {'missing'} end
local seq, epoch = ARGV[1], ARGV[2]
if seq == '' then seq, epoch = s[3], s[4] end
if tonumber(seq) < tonumber(s[3]) then return {'expired', s[3]} end
local known = false
if seq == s[3] then known = epoch == s[4]
elseif seq == s[1] then known = epoch == s[2]
elseif tonumber(seq) < tonumber(s[1]) then known = #redis.call('XRANGE', KEYS[2], seq .. '-' .. epoch, seq .. '-' .. epoch) == 1 end
if not known then return {'ahead', s[1], s[2]} end
local page, left, bytes = {'page', s[1], s[2]}, tonumber(ARGV[3]), tonumber(ARGV[4])
local from = seq .. '-18446744073709551615'
while left > 0 do
  local count = math.min(left, 100)
  local some = redis.call('XRANGE', KEYS[2], '(' .. from, '+', 'COUNT', count)
  for _, entry in ipairs(some) do
    bytes = bytes - #entry[2][2]
    if bytes < 0 and #page > 3 then return page end
    page[#page + 1] = entry[1]
    page[#page + 1] = entry[2][2]
  end
  if #some < count then return page end
  from = some[#some][1]
  left = left - count
end
return page`,
  ),
  /** KEYS session, journal. ARGV epoch, first number to keep, most entries to remove. → 1 when nothing is left to remove. */
  trim: script(
    "trim",
    "allow-oom",
    `local s = redis.call('HMGET', KEYS[1], 'epoch', 'last', 'trimmed', 'trimmed_epoch')
if s[1] ~= ARGV[1] then return 1 end
local trimmed, last = tonumber(s[3]), math.min(tonumber(ARGV[2]) - 1, tonumber(s[2]))
local step = math.min(last, trimmed + tonumber(ARGV[3]))
if step <= trimmed then return 1 end
local at = string.format('%.0f', step)
local entry = redis.call('XRANGE', KEYS[2], at, at)[1]
local epoch = s[4]
if entry then epoch = string.match(entry[1], '-(%d+)$') end
redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f', step + 1))
redis.call('HSET', KEYS[1], 'trimmed', at, 'trimmed_epoch', epoch)
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
