-- Stores a value in the cache, if the caller still has the lease.
--
-- KEYS[1]  see read-cached.lua
-- ARGV[1]  the lease id
-- ARGV[2]  expiry of the value, in ms
-- ARGV[3]  time to live of the value, in ms
-- ARGV[4]  the value
--
-- Returns 1 if the value was stored, otherwise 0.

if redis.call("GET", KEYS[1]) ~= "?" .. ARGV[1] then
  return 0
end
redis.call("SET", KEYS[1], "=" .. ARGV[2] .. " " .. ARGV[4], "PX", ARGV[3])
return 1
