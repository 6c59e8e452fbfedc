// Keeps an admin's page up to date while it is open; the page works without this script.
(function () {
  "use strict";
  document.documentElement.classList.add("scripted");
  // A checkbox selects all rows of a table, and the button shows how many are selected.
  document.addEventListener("change", function (event) {
    var form = event.target.closest("form.selects");
    if (!form) return;
    var boxes = Array.prototype.slice.call(form.querySelectorAll("tbody input[type=checkbox]"));
    var every = form.querySelector("[data-every]");
    if (event.target === every) boxes.forEach(function (box) { box.checked = every.checked; });
    var count = boxes.filter(function (box) { return box.checked; }).length;
    every.checked = count === boxes.length;
    every.indeterminate = count > 0 && count < boxes.length;
    form.querySelector(".selected").textContent = count ? " (" + count + ")" : "";
  });

  // Scrolls a failed build's log to the line with the reason, without scrolling the page.
  var failure = document.getElementById("failure"), box = failure && failure.closest("pre");
  if (box) box.scrollTop = failure.offsetTop - box.offsetTop - box.clientHeight / 2;

  // Keyboard shortcuts: / focuses the search in the header, g and a letter open a section, ? lists them all. The
  // list, which the menu opens too, can turn them off.
  var keyButton = document.querySelector("[data-keys]"), going = 0, areKeysOff = false;
  try { areKeysOff = localStorage.getItem("keys") === "off"; } catch (error) { /* The choice is not remembered. */ }

  // The sections, each by the first letter of its title that no earlier section uses.
  function sections() {
    var found = {};
    document.querySelectorAll(".tabs > a:not(.further), .sheet nav a").forEach(function (link) {
      var title = link.querySelector("span").textContent;
      var letter = title.toLowerCase().split("").filter(function (one) { return !found[one]; })[0];
      if (letter) found[letter] = { title: title, url: link.href };
    });
    return found;
  }

  function make(parent, name, text) {
    var element = document.createElement(name);
    if (text) element.textContent = text;
    return parent.appendChild(element);
  }

  function listKeys() {
    if (document.getElementById("keys")) return;
    var box = make(document.body, "dialog"), found = sections();
    box.id = "keys";
    box.setAttribute("aria-labelledby", "keys-title");
    make(box, "h2", "Keyboard shortcuts").id = "keys-title";
    var list = make(box, "dl");
    var rows = Object.keys(found).map(function (letter) { return ["g " + letter, found[letter].title]; });
    [["/", "Search"]].concat(rows, [["?", "This list"]]).forEach(function (row) {
      var line = make(list, "div");
      make(make(line, "dt"), "kbd", row[0]);
      make(line, "dd", row[1]);
    });
    var buttons = make(box, "p"), end = make(buttons, "button", "Close");
    var change = make(buttons, "button", areKeysOff ? "Turn on" : "Turn off");
    buttons.className = "buttons";
    end.className = "button small";
    change.className = "button second small";
    function close() { box.close(); box.remove(); }
    end.addEventListener("click", close);
    change.addEventListener("click", function () {
      areKeysOff = !areKeysOff;
      try { localStorage.setItem("keys", areKeysOff ? "off" : "on"); } catch (error) { /* Applies only until the page is closed. */ }
      close();
    });
    box.addEventListener("close", function () { box.remove(); });
    box.showModal();
  }

  if (keyButton && window.HTMLDialogElement) {
    keyButton.hidden = false;
    keyButton.addEventListener("click", listKeys);
    document.addEventListener("keydown", function (event) {
      var isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.target.isContentEditable;
      if (areKeysOff || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.getElementById("keys")) return;
      var isSecond = Date.now() - going < 1500, section = isSecond && sections()[event.key];
      going = event.key === "g" ? Date.now() : 0;
      if (section) location.href = section.url;
      if (event.key === "?") listKeys();
      var field = event.key === "/" && document.querySelector("form[role=search] input:not([type=hidden])");
      if (!field) return;
      event.preventDefault();
      field.focus();
      field.select();
    });
  }

  var url = document.body.dataset.events;
  var live = document.getElementById("live");
  // "Live" is shown only if some part of the page other than the banner updates by itself.
  if (!url || !window.EventSource || !live || !document.querySelector("[data-live][id]:not(#banner)")) return;

  var last = "", wait = 1000, timer = 0, source = null, isLoading = false, isStale = false, hasEnded = false, loaded = Date.now();
  // Each part's HTML as the server last sent it. The document's own HTML differs: what is unfolded, what is typed.
  var known = {};
  // Parts whose update is held back while they are in use.
  var kept = {};
  document.querySelectorAll("[data-live][id]").forEach(function (part) { known[part.id] = part.outerHTML; });

  function say(text, isAway) {
    live.hidden = false;
    if (live.textContent !== text) live.textContent = text;
    live.classList.toggle("away", isAway);
  }

  function sayState() {
    if (Object.keys(kept).length) say("Paused while you type", true); else say("Live", false);
  }

  function isChanged(field) {
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.tagName !== "SELECT") return field.type !== "hidden" && field.value !== field.defaultValue;
    var usual = 0;
    Array.prototype.forEach.call(field.options, function (option, index) { if (option.defaultSelected) usual = index; });
    return field.selectedIndex !== usual;
  }

  // Whether someone is typing, pressing or selecting text in a part, which is not replaced meanwhile.
  function isInUse(part) {
    var active = document.activeElement;
    if (active && part.contains(active) && /^(INPUT|SELECT|TEXTAREA)$/.test(active.tagName)) return true;
    if (part.querySelector(":active")) return true;
    var selection = window.getSelection();
    if (selection && !selection.isCollapsed && part.contains(selection.anchorNode)) return true;
    return Array.prototype.some.call(part.querySelectorAll("input, textarea, select"), isChanged);
  }

  // A string that identifies an element, by which its counterpart is found in the new part.
  function nameOf(element) {
    var form = element.closest("form") || element.querySelector("form");
    return [element.tagName, element.id, element.getAttribute("href"), element.name, element.value,
      form && form.getAttribute("action"), element.getAttribute("aria-label") ||
      (element.tagName !== "DETAILS" ? element.textContent :
        element.id || element.querySelector("summary").textContent)].join("\n");
  }

  // Calls `body` with each element of `old` that `selector` matches, and its counterpart in `fresh`.
  function pair(old, fresh, selector, body) {
    var likes = {};
    fresh.querySelectorAll(selector).forEach(function (element) {
      var name = nameOf(element);
      (likes[name] = likes[name] || []).push(element);
    });
    old.querySelectorAll(selector).forEach(function (element) {
      var like = (likes[nameOf(element)] || []).shift();
      if (like) body(element, like);
    });
  }

  // Replaces a part and keeps what was unfolded, focused or scrolled.
  function exchange(old, fresh) {
    var scrolled = [];
    var focused = old.contains(document.activeElement) ? document.activeElement : null;
    document.adoptNode(fresh);
    pair(old, fresh, "details", function (before, after) { after.open = before.open; });
    old.querySelectorAll("[tabindex]").forEach(function (before, index) {
      var after = fresh.querySelectorAll("[tabindex]")[index];
      var room = before.scrollHeight - before.clientHeight;
      if (after) scrolled.push([after, before.scrollLeft, before.scrollTop, room > 0 && room - before.scrollTop < 4]);
    });
    var again = null;
    if (focused) {
      pair(old, fresh, focused.tagName, function (before, after) { if (before === focused) again = after; });
    }
    old.replaceWith(fresh);
    scrolled.forEach(function (place) {
      place[0].scrollLeft = place[1];
      place[0].scrollTop = place[3] ? place[0].scrollHeight : place[2];
    });
    if (again) again.focus({ preventScroll: true });
  }

  function take(page) {
    page.querySelectorAll("[data-live][id]").forEach(function (fresh) {
      var old = document.getElementById(fresh.id);
      var html = fresh.outerHTML;
      if (!old || html === known[fresh.id]) { delete kept[fresh.id]; return; }
      if (isInUse(old)) { kept[fresh.id] = true; return; }
      delete kept[fresh.id];
      known[fresh.id] = html;
      fresh.classList.add("fresh");
      exchange(old, fresh);
    });
    page.querySelectorAll("nav[aria-label]").forEach(function (fresh) {
      var old = document.querySelector("nav[aria-label=\"" + fresh.getAttribute("aria-label") + "\"]");
      if (old && !old.closest("[data-live]") && old.innerHTML !== fresh.innerHTML) exchange(old, fresh);
    });
    document.title = page.title;
  }

  // Without a session, the server redirects every page to the sign-in form.
  function isSignIn(answer) { return answer.redirected && /\/sign-in$/.test(new URL(answer.url).pathname); }

  // Stops updating the page, and says why.
  function end(reason) {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(timer);
    if (source) source.close();
    say("Signed out", true);
    var notice = document.createElement("p"), link = document.createElement("a");
    notice.className = "notice bad";
    notice.setAttribute("role", "alert");
    link.href = location.href;
    link.textContent = "Sign in again";
    notice.append(reason + " ", link, ".");
    document.getElementById("content").prepend(notice);
  }

  function refresh() {
    timer = 0;
    if (hasEnded) return;
    if (isLoading) { isStale = true; return; }
    isLoading = true;
    isStale = false;
    loaded = Date.now();
    fetch(location.href, { cache: "no-store", credentials: "same-origin", headers: { Accept: "text/html" } }).then(function (answer) {
      if (isSignIn(answer)) end("You are signed out.");
      if (!answer.ok || answer.redirected) throw new Error("gone");
      return answer.text();
    }).then(function (text) {
      take(new DOMParser().parseFromString(text, "text/html"));
      sayState();
    }).catch(function () { if (!hasEnded) say("Reload to see what changed", true); }).then(function () {
      isLoading = false;
      if (isStale) refresh();
    });
  }

  function listen() {
    if (hasEnded) return;
    // When the browser reconnects by itself, it sends Last-Event-ID; a new EventSource needs it in the URL.
    source = new EventSource(last ? url.replace(/after=[^&]*/, "after=" + encodeURIComponent(last)) : url);
    source.onopen = function () { wait = 1000; sayState(); };
    source.addEventListener("activity", function (event) {
      last = event.lastEventId || last;
      if (!timer) timer = setTimeout(refresh, 400);
    });
    source.addEventListener("ended", function (event) { end(JSON.parse(event.data).reason); });
    source.onerror = function () {
      if (hasEnded) return;
      say("Connecting…", true);
      if (source.readyState !== EventSource.CLOSED) return;
      // The server has refused the stream, perhaps because the session ended during the interruption.
      fetch(location.href, { cache: "no-store", credentials: "same-origin" }).then(function (answer) {
        if (isSignIn(answer)) end("You are signed out.");
      }).catch(function () {});
      setTimeout(listen, wait);
      wait = Math.min(wait * 2, 60000);
    };
  }

  // Seconds between refreshes without an event, since a log grows all the time, and installations and
  // webhook deliveries are not in the journal; infinity without such parts.
  function pause() {
    var least = Infinity;
    document.querySelectorAll("[data-busy]").forEach(function (part) {
      least = Math.min(least, Number(part.dataset.busy) || 2);
    });
    return Object.keys(kept).length ? Math.min(least, 2) : least;
  }

  listen();
  setInterval(function () {
    if (!timer && !isLoading && !document.hidden && Date.now() - loaded > pause() * 1000 - 500) refresh();
  }, 1000);
  document.addEventListener("visibilitychange", function () {
    if (!document.hidden && !timer && pause() < Infinity) refresh();
  });
  window.addEventListener("pagehide", function () { if (source) source.close(); });
  window.addEventListener("pageshow", function (event) { if (event.persisted) { refresh(); listen(); } });
})();
