// Used by all pages: buttons that copy a link or a secret or share a link, which the style sheets hide where the
// browser does not support that; and a tooltip with the reader's local time for each date.
(function () {
  "use strict";
  var page = document.documentElement;
  if (navigator.clipboard) page.classList.add("copies");
  if (navigator.share) page.classList.add("shares");
  document.addEventListener("click", function (event) {
    var button = event.target.closest("button[data-copy], button[data-share]");
    if (!button) return;
    if (button.dataset.share) {
      // The promise is rejected too when the share sheet is closed, which is not an error.
      navigator.share({ title: document.title, url: button.dataset.share }).catch(function () {});
      return;
    }
    if (button.textContent === button.dataset.copied) return;
    var label = button.textContent;
    navigator.clipboard.writeText(button.dataset.copy).then(function () {
      button.textContent = button.dataset.copied;
      setTimeout(function () { button.textContent = label; }, 2000);
    });
  });

  // Pages show times in UTC, or as how long ago they were.
  var moment = /\b\d{1,2} [A-Z][a-z]+ \d{4}, \d{2}:\d{2} UTC\b/;
  document.addEventListener("pointerover", function (event) {
    var place = event.target;
    if (!place.closest || place.title) return;
    var time = place.closest("time[datetime]");
    var said = time || place.childElementCount ? null : moment.exec(place.textContent);
    var date = new Date(time ? time.dateTime : said ? said[0].replace(",", "") : NaN);
    if (isNaN(date)) return;
    (time || place).title = date.toLocaleString(page.lang, { dateStyle: "long", timeStyle: "short" }) +
      " (" + (Intl.DateTimeFormat().resolvedOptions().timeZone || "local time") + ")";
  });
})();
