// Buttons that copy a link or a secret. The style sheets hide them where a browser does not allow that.
(function () {
  "use strict";
  if (!navigator.clipboard) return;
  document.documentElement.classList.add("copies");
  document.addEventListener("click", function (event) {
    var button = event.target.closest("button[data-copy]");
    if (!button || button.textContent === button.dataset.copied) return;
    var label = button.textContent;
    navigator.clipboard.writeText(button.dataset.copy).then(function () {
      button.textContent = button.dataset.copied;
      setTimeout(function () { button.textContent = label; }, 2000);
    });
  });
})();
