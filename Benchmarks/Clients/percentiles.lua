-- For wrk: prints percentiles of the response times, "microseconds P50 P99 P99.9".
-- usage: wrk … --script percentiles.lua URL [-- PAUSE]
-- With PAUSE, each connection waits for this many milliseconds on average between two requests, from 0.5 to
-- 1.5 times as long; the pauses do not count.

function init(arguments)
  local pause = tonumber(arguments[1])
  if pause then
    math.randomseed(1)
    function delay() return math.random(pause / 2, pause * 3 / 2) end
  end
end

function done(summary, latency, requests)
  print(string.format("microseconds %d %d %d",
    latency:percentile(50), latency:percentile(99), latency:percentile(99.9)))
end
