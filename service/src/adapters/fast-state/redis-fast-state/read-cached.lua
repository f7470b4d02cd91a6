-- Reads a cached value. If there is none, gives the caller the lease to fill it, unless another caller has the lease.
--
-- KEYS[1]  the value: "=<expiry in ms> <value>", or the lease: "?<lease id>"
-- ARGV[1]  now, in ms
-- ARGV[2]  the lease id
-- ARGV[3]  duration of the lease, in ms
--
-- Returns the value, or nil.

local entry = redis.call("GET", KEYS[1])
if entry then
  local ends, value = string.match(entry, "^=(%S+) (.*)$")
  if not ends then
    return false
  end
  if tonumber(ends) > tonumber(ARGV[1]) then
    return value
  end
end
redis.call("SET", KEYS[1], "?" .. ARGV[2], "PX", ARGV[3])
return false
