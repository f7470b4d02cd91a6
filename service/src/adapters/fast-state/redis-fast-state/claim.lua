-- Claims a key until the given expiry, unless it is already claimed.
--
-- KEYS[1]  the claim: "<expiry in ms> <note>"
-- ARGV[1]  now, in ms
-- ARGV[2]  expiry of the claim, in ms
-- ARGV[3]  time to live of the claim's key, in ms
-- ARGV[4]  the note; can be empty
--
-- Returns nil if the claim was made, otherwise the note of the earlier claim.

local earlier = redis.call("GET", KEYS[1])
if earlier then
  local ends, note = string.match(earlier, "^(%S+) (.*)$")
  if tonumber(ends) > tonumber(ARGV[1]) then
    return note
  end
end
redis.call("SET", KEYS[1], ARGV[2] .. " " .. ARGV[4], "PX", ARGV[3])
return false
