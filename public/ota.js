// Two comforts; the page works without them.
(function () {
  "use strict";
  // iPadOS calls itself a Mac: a touch screen tells them apart, and a code to scan is of no use there.
  var isTouchMac = /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;
  var scan = document.getElementById("scan");
  if (isTouchMac && scan) scan.hidden = true;

  var install = document.getElementById("install");
  var state = document.getElementById("state");
  if (!install || !state) return;
  install.addEventListener("click", function () {
    state.textContent = "iOS asks whether to install “" + install.dataset.app +
      "”. After that, look at the home screen: the icon fills while it downloads.";
  });
})();
