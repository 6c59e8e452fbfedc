// Keeps what is on an admin's page true while it is open; the page works without it.
(function () {
  "use strict";
  var url = document.body.dataset.events;
  var live = document.getElementById("live");
  if (!url || !window.EventSource || !live) return;

  var last = "", wait = 1000, timer = 0, source = null;

  function say(text, isAway) {
    live.hidden = false;
    live.textContent = text;
    live.classList.toggle("away", isAway);
  }

  // Parts that somebody is working in stay as they are.
  function isInUse(element) {
    if (element.contains(document.activeElement) && /INPUT|SELECT|TEXTAREA/.test(document.activeElement.tagName)) return true;
    return Array.prototype.some.call(element.querySelectorAll("input, textarea"), function (field) {
      return field.type === "checkbox" || field.type === "radio"
        ? field.checked !== field.defaultChecked : field.type !== "hidden" && field.value !== field.defaultValue;
    });
  }

  function refresh() {
    timer = 0;
    fetch(location.href, { credentials: "same-origin", headers: { Accept: "text/html" } }).then(function (answer) {
      if (!answer.ok || answer.redirected) throw new Error("gone");
      return answer.text();
    }).then(function (text) {
      var page = new DOMParser().parseFromString(text, "text/html");
      page.querySelectorAll("[data-live][id]").forEach(function (fresh) {
        var old = document.getElementById(fresh.id);
        if (old && old.innerHTML !== fresh.innerHTML && !isInUse(old)) {
          fresh.classList.add("fresh");
          old.replaceWith(document.adoptNode(fresh));
        }
      });
      page.querySelectorAll("nav").forEach(function (fresh) {
        var old = document.querySelector("nav[aria-label=\"" + fresh.getAttribute("aria-label") + "\"]");
        if (old && old.innerHTML !== fresh.innerHTML) old.replaceWith(document.adoptNode(fresh));
      });
      say("Live", false);
    }).catch(function () { say("Reload to see what is new", true); });
  }

  function listen() {
    // Between connections the browser sends the place itself; a new one has to be told.
    source = new EventSource(last ? url.replace(/after=[^&]*/, "after=" + encodeURIComponent(last)) : url);
    source.onopen = function () { wait = 1000; say("Live", false); };
    source.addEventListener("activity", function (event) {
      last = event.lastEventId || last;
      if (!timer) timer = setTimeout(refresh, 400);
    });
    source.onerror = function () {
      say("Connecting…", true);
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(listen, wait);
      wait = Math.min(wait * 2, 60000);
    };
  }

  listen();
  // What grows without an event, such as a log, is looked at again while it does.
  setInterval(function () {
    if (!timer && !document.hidden && document.querySelector("[data-busy]")) refresh();
  }, 2000);
  window.addEventListener("pagehide", function () { if (source) source.close(); });
  window.addEventListener("pageshow", function (event) { if (event.persisted) { refresh(); listen(); } });
})();
