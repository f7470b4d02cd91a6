-- Checks the nonce, signature result, token bucket and epoch of one signed request, in the order given in
-- docs/rules/signing.md.
--
-- KEYS[1]  the nonce:  "<expiry of the claim in ms> "
-- KEYS[2]  the bucket: "<millionths of a token> <time in ms>"; if missing, the bucket is full
-- KEYS[3]  the epoch:  "=<epoch>", or "!<ms>" while it is suspended until that time; if missing, there is no epoch
-- ARGV[1]  now, in ms
-- ARGV[2]  expiry of the claim, in ms
-- ARGV[3]  time to live of the claim's key, in ms
-- ARGV[4]  "1" if the signature is valid
-- ARGV[5]  capacity, in millionths of a token
-- ARGV[6]  millionths of a token added each ms
-- ARGV[7]  time to live of the bucket's key after it is full, in ms
-- ARGV[8]  the candidate epoch
-- ARGV[9]  time to live of the candidate, in ms
--
-- Returns {outcome, epoch or nil, millionths of a token left}. All numbers are whole and below 2^53, so Lua's doubles
-- are exact. They are formatted with %.0f, because Lua would write large ones as 1e+15.

local TOKEN = 1000000
local now = tonumber(ARGV[1])

local function claim_nonce()
  local earlier = redis.call("GET", KEYS[1])
  if earlier and tonumber(string.match(earlier, "^%S+")) > now then
    return false
  end
  redis.call("SET", KEYS[1], ARGV[2] .. " ", "PX", ARGV[3])
  return true
end

local function read_epoch()
  local stored = redis.call("GET", KEYS[3])
  if stored and string.sub(stored, 1, 1) == "=" then
    return string.sub(stored, 2)
  end
  if stored and tonumber(string.sub(stored, 2)) > now then
    return false
  end
  redis.call("SET", KEYS[3], "=" .. ARGV[8], "PX", ARGV[9])
  return ARGV[8]
end

local capacity = tonumber(ARGV[5])
local per_ms = tonumber(ARGV[6])

local function read_bucket()
  local stored = redis.call("GET", KEYS[2])
  if not stored then
    return capacity, now
  end
  local level, at = string.match(stored, "^(%d+) (%d+)$")
  local elapsed = math.max(0, now - tonumber(at))
  return math.min(capacity, tonumber(level) + elapsed * per_ms), math.max(now, tonumber(at))
end

local function write_bucket(level, at)
  local keep = math.ceil((capacity - level) / per_ms) + tonumber(ARGV[7])
  redis.call("SET", KEYS[2], string.format("%.0f %.0f", level, at), "PX", string.format("%.0f", keep))
end

local fresh = claim_nonce()
local epoch = read_epoch()
local level, at = read_bucket()

if not fresh then
  return {"replayed", epoch, level}
end
if ARGV[4] ~= "1" then
  return {"refused", epoch, level}
end
if level < TOKEN then
  return {"limited", epoch, level}
end
write_bucket(level - TOKEN, at)
return {"admitted", epoch, level - TOKEN}
