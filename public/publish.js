// Uploads a build in pieces, resumes after an interruption, and shows the progress.
(function () {
  "use strict";
  var waiting = document.querySelector("[data-again]");
  if (waiting) setTimeout(function () { location.reload(); }, Number(waiting.dataset.again) * 1000);

  var form = document.getElementById("publish");
  if (!form) return;
  var piece = 32 << 20, tries = 12;
  var file = form.elements.file, start = document.getElementById("publish-start"), stop = document.getElementById("publish-cancel");
  var problem = document.getElementById("publish-problem"), progress = document.getElementById("publish-progress");
  var state = document.getElementById("publish-state"), bar = document.getElementById("publish-bar");
  var running = null;
  form.hidden = false;

  function megabytes(count) { return (count / 1e6).toFixed(count < 1e7 ? 1 : 0) + " MB"; }

  // Screen readers must not announce every percent, so the text changes at most every two seconds.
  var said = 0;
  function show(text, share, isNews) {
    if (share === undefined) bar.removeAttribute("value"); else bar.value = share;
    if (!isNews && Date.now() - said < 2000) return;
    said = Date.now();
    state.textContent = text;
  }

  function end(text) {
    running = null;
    progress.hidden = stop.hidden = true;
    start.disabled = false;
    Array.prototype.forEach.call(form.elements, function (field) { field.disabled = false; });
    if (!text) return;
    problem.textContent = text;
    problem.hidden = false;
    problem.scrollIntoView({ block: "nearest" });
  }

  // A session that has ended, or was replaced by one in another tab, is not a problem of the file.
  function refuse(request) {
    var isExpired = request.status === 403 && request.responseText.indexOf('"form.expired"') >= 0;
    if (request.status !== 401 && !isExpired) return end(sentence(request));
    end(isExpired ? "You signed in again in another tab, so this page is out of date. " : "You are no longer signed in, so the file was not published. ");
    var link = document.createElement("a");
    link.href = isExpired ? location.href : form.dataset.signIn;
    link.textContent = isExpired ? "Reload the page" : "Sign in again";
    problem.appendChild(link);
    problem.appendChild(document.createTextNode(", then choose the file again."));
  }

  // The server's reason for a refusal, and the fix, as sentences.
  function sentence(request) {
    var fallback = "The server answered with status " + request.status + ".";
    if (request.status === 413) fallback = "The file is larger than a proxy in front of the server accepts. Use ota publish, or raise the proxy’s limit.";
    try {
      var said = JSON.parse(request.responseText);
      if (!said.detail) return fallback;
      return [said.detail, said.fix].filter(Boolean).map(function (text) {
        return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
      }).join(" ");
    } catch (_) { return fallback; }
  }

  // Sends a request; `done` gets the XMLHttpRequest, whose status is 0 without a response.
  function ask(job, method, url, fields, body, done, sent) {
    var request = new XMLHttpRequest();
    job.request = request;
    request.open(method, url);
    request.setRequestHeader("OTA-Form", form.dataset.code);
    Object.keys(fields).forEach(function (name) { request.setRequestHeader(name, fields[name]); });
    if (sent) request.upload.onprogress = function (event) { sent(event.loaded); };
    request.onloadend = function () { if (running === job) done(request); };
    request.send(body);
  }

  // Tries again after a lost connection or while the server is busy, at most 12 times in a row.
  function later(job, request, again) {
    if (request.status && request.status !== 429 && request.status < 500) return refuse(request);
    job.failures += 1;
    if (job.failures > tries) return end(request.status ? sentence(request) : "The connection to the server was lost. Publish the file again; what has arrived is kept for a day.");
    show("Connection lost; trying again…", undefined, true);
    setTimeout(function () { if (running === job) again(); }, Math.min(1000 * Math.pow(2, job.failures - 1), 30000));
  }

  function send(job) {
    var size = job.file.size, last = Math.min(job.offset + piece, size);
    var fields = {
      "Content-Type": "application/partial-upload", "Upload-Offset": String(job.offset),
      "Upload-Complete": last === size ? "?1" : "?0", "Prefer": "respond-async"
    };
    ask(job, "PATCH", job.url, fields, job.file.slice(job.offset, last), function (request) {
      if (request.status === 409 || !request.status || request.status === 429 || request.status >= 500) return later(job, request.status === 409 ? { status: 0 } : request, function () { look(job); });
      if (request.status >= 400) return last === size && request.status !== 401 ? watch(job) : refuse(request);
      job.failures = 0;
      job.offset = last;
      if (last < size) send(job); else watch(job);
    }, function (sent) {
      var count = Math.min(job.offset + sent, size);
      show("Uploading: " + megabytes(count) + " of " + megabytes(size), count / size);
    });
  }

  // Asks how many bytes have arrived, and continues from there.
  function look(job) {
    ask(job, "HEAD", job.url, {}, null, function (request) {
      if (request.status >= 300 || !request.status) return later(job, request, function () { look(job); });
      if (request.getResponseHeader("Upload-Complete") === "?1") return watch(job);
      job.offset = Number(request.getResponseHeader("Upload-Offset")) || 0;
      send(job);
    });
  }

  var phases = { queued: "Waiting for other builds…", checking: "Checking the build…", storing: "Storing the build…" };

  // Polls until the build is published or refused.
  function watch(job) {
    stop.hidden = true;
    ask(job, "GET", job.url, {}, null, function (request) {
      if (request.status !== 200) return later(job, request, function () { watch(job); });
      var status = JSON.parse(request.responseText);
      job.failures = 0;
      if (status.state === "finished" || status.state === "checked") { location.assign(form.dataset.outcome + "/" + status.upload); return; }
      if (status.answer && status.answer.detail) return end(sentence({ status: status.answer.status, responseText: JSON.stringify(status.answer) }));
      show(phases[status.phase] || "Checking the build…", status.phase === "queued" ? undefined : status.fraction, true);
      setTimeout(function () { if (running === job) watch(job); }, 700);
    });
  }

  form.addEventListener("submit", function (event) {
    event.preventDefault();
    if (running) return;
    var chosen = file.files[0];
    if (!chosen) return;
    var isCheck = event.submitter && event.submitter.id === "publish-check";
    var offer = { size: chosen.size, checkOnly: Boolean(isCheck), channel: form.elements.channel.value.trim(), notes: form.elements.notes.value, replace: form.elements.replace.checked };
    var job = running = { file: chosen, offset: 0, url: "", failures: 0, request: null };
    problem.hidden = true;
    Array.prototype.forEach.call(form.elements, function (field) { field.disabled = true; });
    progress.hidden = stop.hidden = stop.disabled = false;
    show("Starting…", 0, true);
    function begin() {
      ask(job, "POST", form.dataset.uploads, { "Content-Type": "application/json" }, JSON.stringify(offer), function (request) {
        if (request.status !== 201 && request.status !== 200) return later(job, request, begin);
        job.url = request.getResponseHeader("Location");
        job.failures = 0;
        send(job);
      });
    }
    begin();
  });

  stop.addEventListener("click", function () {
    var job = running;
    if (!job) return;
    end();
    job.request.abort();
    if (job.url) ask(job, "DELETE", job.url, {}, null, function () {});
  });

  ["dragover", "drop"].forEach(function (name) {
    form.addEventListener(name, function (event) {
      event.preventDefault();
      if (name === "drop" && !running && event.dataTransfer.files.length) file.files = event.dataTransfer.files;
    });
  });

  window.addEventListener("beforeunload", function (event) { if (running && !stop.hidden) event.preventDefault(); });
})();
