-- Finds out which Redis server this is, and since when its entries count. In another server than before, or after a
-- restart, entries can be missing or older: replication and persistence are asynchronous.
--
-- KEYS[1]  the server in use: "<its run id> <when it was first seen, in ms>"
-- ARGV[1]  now, in ms
--
-- Returns the value of the key.

local run_id = string.match(redis.call("INFO", "server"), "run_id:(%x+)")
local found = redis.call("GET", KEYS[1])
if not found or string.match(found, "^%x+") ~= run_id then
  found = run_id .. " " .. ARGV[1]
  redis.call("SET", KEYS[1], found)
end
return found
