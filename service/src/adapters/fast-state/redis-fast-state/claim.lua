-- Claims a key until a time, unless it is claimed already.
--
-- KEYS[1]  the claim: "<its end in ms> <note>"
-- ARGV[1]  now, in ms
-- ARGV[2]  end of the claim, in ms
-- ARGV[3]  how long Redis keeps the claim, in ms
-- ARGV[4]  the note, which may be empty
--
-- Answers nil where the claim was made, and the note of the earlier claim where one stands.

local earlier = redis.call("GET", KEYS[1])
if earlier then
  local ends, note = string.match(earlier, "^(%S+) (.*)$")
  if tonumber(ends) > tonumber(ARGV[1]) then
    return note
  end
end
redis.call("SET", KEYS[1], ARGV[2] .. " " .. ARGV[4], "PX", ARGV[3])
return false
