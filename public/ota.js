// Conveniences; every page works without this script.
(function () {
  "use strict";
  // Safari on iPadOS claims to be on a Mac; only the touch screen reveals it. An iPad needs no QR code to scan.
  var isTouchMac = /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;

  function prepare() {
    var scan = document.getElementById("scan");
    var install = document.querySelector("a[data-asked]");
    if (isTouchMac && scan) {
      scan.hidden = true;
      if (install && install.id === "install") install.classList.remove("second");
    }
    var state = document.getElementById("state");
    if (!install || !state) return;
    install.addEventListener("click", function () {
      state.textContent = install.dataset.asked;
    });
  }
  prepare();

  // An open page follows the events of its app and of this device.
  var main = document.getElementById("content");
  var address = main && main.dataset.events;
  if (!address || !window.EventSource || !window.fetch || !window.DOMParser) return;
  var news = document.getElementById("news");
  var source = null, timer = 0, wait = 3000, isLoading = false, isStale = false, hasBroken = false;

  function refresh() {
    if (isLoading) { isStale = true; return; }
    isLoading = true;
    isStale = false;
    fetch(location.href, { cache: "no-store", credentials: "same-origin" })
      .then(function (answer) { return answer.text(); })
      .then(function (text) {
        var page = new DOMParser().parseFromString(text, "text/html");
        var next = page.getElementById("content");
        if (next) replace(next, page.title);
      })
      .catch(function () { hasBroken = true; })
      .then(function () {
        isLoading = false;
        if (isStale) refresh();
      });
  }

  // Replaces the content, keeps the focus, and makes screen readers announce only news.
  function replace(next, title) {
    var focused = document.activeElement && main.contains(document.activeElement)
      ? document.activeElement.id : "";
    var told = main.dataset.news;
    var now = document.importNode(next, true);
    // Notes that a reader has unfolded stay unfolded.
    var unfolded = main.querySelectorAll("details");
    now.querySelectorAll("details").forEach(function (details, index) {
      if (unfolded[index]) details.open = unfolded[index].open;
    });
    main.replaceWith(now);
    main = now;
    document.title = title;
    prepare();
    var again = focused && document.getElementById(focused);
    if (again) again.focus({ preventScroll: true });
    if (news && now.dataset.news && now.dataset.news !== told) news.textContent = now.dataset.news;
  }

  function progressed(event) {
    var bar = document.getElementById("progress");
    var text = document.getElementById("progress-text");
    var state = JSON.parse(event.data);
    if (!bar || !text) return refresh();
    bar.value = state.percent;
    text.textContent = state.text;
  }

  function listen() {
    clearTimeout(timer);
    if (source || document.hidden) return;
    source = new EventSource(address);
    source.addEventListener("open", function () {
      wait = 3000;
      // Events that were missed while disconnected are not sent again.
      if (hasBroken) refresh();
      hasBroken = false;
    });
    source.addEventListener("changed", refresh);
    source.addEventListener("progress", progressed);
    source.addEventListener("error", function () {
      hasBroken = true;
      // The browser reconnects by itself unless the server refused the stream.
      if (source && source.readyState === EventSource.CLOSED) {
        source = null;
        timer = setTimeout(listen, wait);
        wait = Math.min(wait * 2, 300000);
      }
    });
  }

  // Closes the connection while the page is hidden.
  function rest() {
    clearTimeout(timer);
    if (source) source.close();
    source = null;
    hasBroken = true;
  }

  document.addEventListener("visibilitychange", function () {
    if (document.hidden) rest(); else listen();
  });
  window.addEventListener("pagehide", rest);
  window.addEventListener("pageshow", function (event) { if (event.persisted) listen(); });
  listen();
})();
