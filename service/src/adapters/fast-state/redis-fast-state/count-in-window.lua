-- Counts a call, unless as many as the limit were counted within the window.
--
-- KEYS[1]  a list of the last counted calls' times in ms, at most as many as the limit
-- ARGV[1]  now, in ms
-- ARGV[2]  the window, in ms
-- ARGV[3]  the limit, at least 1
-- ARGV[4]  how long Redis keeps the list after its last call, in ms
--
-- Answers 0 where the call was counted, and otherwise the ms after which one fits.

local now = tonumber(ARGV[1])
local limit = tonumber(ARGV[3])

-- A call fits exactly when the limit-th call before it has left the window.
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
