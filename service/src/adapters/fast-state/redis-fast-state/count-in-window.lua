-- Counts a call in a sliding window, unless the window already has `limit` calls.
--
-- KEYS[1]  a list of the times of the last counted calls in ms, at most `limit` entries
-- ARGV[1]  now, in ms
-- ARGV[2]  the window, in ms
-- ARGV[3]  the limit, at least 1
-- ARGV[4]  time to live of the list after its last call, in ms
--
-- Returns 0 if the call was counted, otherwise the milliseconds until the next call is allowed.

local now = tonumber(ARGV[1])
local limit = tonumber(ARGV[3])

-- The call is allowed if and only if the limit-th most recent call has left the window.
local deciding = redis.call("LINDEX", KEYS[1], -limit)
if deciding then
  local retry_after = tonumber(deciding) + tonumber(ARGV[2]) - now
  if retry_after > 0 then
    return retry_after
  end
end
redis.call("RPUSH", KEYS[1], ARGV[1])
redis.call("LTRIM", KEYS[1], -limit, -1)
redis.call("PEXPIRE", KEYS[1], ARGV[4])
return 0
