// What all pages share: buttons that copy a link or a secret, or hand a link on, which the style sheets hide where
// a browser does not allow that; and the reader's own time of a moment that is pointed at.
(function () {
  "use strict";
  var page = document.documentElement;
  if (navigator.clipboard) page.classList.add("copies");
  if (navigator.share) page.classList.add("shares");
  document.addEventListener("click", function (event) {
    var button = event.target.closest("button[data-copy], button[data-share]");
    if (!button) return;
    if (button.dataset.share) {
      // Someone who closes the sheet has changed their mind, which is no error.
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

  // Pages say moments in UTC, or how long ago they were.
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
