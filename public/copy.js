// Buttons that copy a link or a secret, or hand a link on. The style sheets hide them where a browser does not
// allow that.
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
})();
