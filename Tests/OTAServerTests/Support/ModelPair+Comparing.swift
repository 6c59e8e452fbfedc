import Foundation
import Identifiers
import OTAServer
import Releases
import Store
import Testing

extension ModelPair {
    /// Compares what one visitor sees of an app and gets by an earlier link, what one admin or program sees, and
    /// all teams and builds.
    mutating func compare(_ client: WireClient, after step: String) async throws {
        try await compareVisitor(client, after: step)
        try await compareHolder(client, after: step)
        try compareTeams(after: step)
        try compareBuilds(after: step)
    }

    /// A browser in which a device may have enrolled, and a person signed in.
    private struct Browser {
        var visitor = AccessModel.Visitor()
        var session: Int?
        var fields: [String: String] = [:]
        var name = "anyone"
    }

    private mutating func pickBrowser() -> Browser {
        var browser = Browser()
        var cookies: [String] = []
        if pick(below: 5) > 0 {
            let device = pick(below: Self.deviceCount)
            browser.name = "device \(device)"
            browser.fields["User-Agent"] = TestTester.agent
            cookies.append(phones[device].cookie)
            if model.now < phones[device].end, model.states[device] != nil {
                browser.visitor.device = device
            }
        }
        if pick(below: 2) == 0, let session = pickSession(ofTester: true) {
            browser.name += ", session \(session) of \(model.people.sessions[session].person)"
            browser.session = session
            cookies.append(held[session].cookie)
            browser.visitor.tester = model.people.tester(in: session, at: model.now)
        }
        cookies.removeAll(where: \.isEmpty)
        if !cookies.isEmpty { browser.fields["Cookie"] = cookies.joined(separator: "; ") }
        return browser
    }

    private mutating func compareVisitor(
        _ client: WireClient,
        after step: String,
    ) async throws {
        let browser = pickBrowser()
        let visitor = browser.visitor
        let number = pick(below: apps.count)
        let app = model.apps[number]
        let slug = Self.slugs[number]
        let what = "\(step); \(browser.name), \(slug)"
        func get(_ path: String) async throws -> WireResponse {
            try await client.request("GET", path, browser.fields)
        }
        let page = try await get("/apps/\(slug)")
        let shown = model.shown(app, to: visitor)
        let isWithdrawn = shown.map { app.builds[$0]?.withdrawal != nil } ?? false
        let entry = model.entry(app, visitor)
        let isRenewed = browser.session.map { model.people.isRenewed($0, at: model.now) } ?? false
        switch entry {
        case .granted: #expect(page.status == (isWithdrawn ? 410 : 200), "\(what)")
        case .signIn, .hidden:
            let usual = entry == .signIn ? 403 : 404
            #expect(page.status == (isRenewed ? 303 : usual), "\(what)")
            if entry == .hidden { #expect(!page.text.contains("Demo"), "\(what)") }
        case .passphrase, .waiting: #expect(page.status == 403, "\(what)")
        }
        seen["\(entry)", default: 0] += 1
        let isGranted = entry == .granted
        let start = try await get("/").text
        #expect(
            start.contains("/apps/\(slug)\"") == (isGranted && shown != nil && !isWithdrawn),
            "\(what), start page",
        )
        let channel = pick(Self.channels)
        let isOpen =
            isGranted && app.offers[channel] != nil && model.isOpen(app, channel, to: visitor)
        let code = try await get("/apps/\(slug)/qr.svg?channel=\(channel)")
        #expect(code.status == (isOpen ? 200 : 404), "\(what), code of \(channel)")
        guard isGranted else { return try await compareLink(client, after: step) }
        let build = pick(below: Self.buildCount)
        let release = try await get("/apps/\(slug)/\(Self.version(build))")
        let isVisible = model.sees(app, build, visitor)
        let isThere = app.builds[build]?.withdrawal == nil
        let expected = isVisible ? (isThere ? 200 : 410) : (isRenewed ? 303 : 404)
        #expect(release.status == expected, "\(what), build \(build)")
        let history = try await get("/apps/\(slug)/history").text
        for other in 0..<Self.buildCount {
            // The history has no link to a withdrawn release.
            let isLinked = history.contains("/\(Self.version(other))\"")
            let isThere =
                model.sees(app, other, visitor) && app.builds[other]?.withdrawal == nil
            #expect(isLinked == isThere, "\(what), \(other) in the history")
        }
        if release.status == 200 { try keepLink(on: release, of: number, build, browser, what) }
        try await compareLink(client, after: step)
    }

    /// Keeps the link on a page, which has one for devices that the build lists.
    private mutating func keepLink(
        on page: WireResponse,
        of app: Int,
        _ build: Int,
        _ browser: Browser,
        _ what: String,
    ) throws {
        let device = browser.visitor.device
        if let device, model.states[device] == .disabled { return }
        let listed = model.apps[app].builds[build]?.listed
        let isOffered = listed == nil || device.map { listed?.contains($0) == true } ?? true
        let hasLink = page.text.contains("action=download-manifest")
        #expect(hasLink == isOffered, "\(what), link to \(build)")
        guard hasLink else { return }
        // A visitor who gets in without having signed in has a link that does not depend on a session.
        let alone = AccessModel.Visitor(device: device)
        let isBySession =
            browser.visitor.tester != nil
            && !model.sees(model.apps[app], build, alone, isOnLink: true)
        links.append(
            Link(
                path: try page.manifestPath(on: site),
                app: app,
                build: build,
                device: device,
                session: isBySession ? browser.session : nil,
                // Links last an hour, rounded up to a quarter of an hour.
                end: (model.now + 3_600 + 899) / 900 * 900,
            )
        )
        if links.count > 40 { links.removeFirst(20) }
    }

    private mutating func compareLink(_ client: WireClient, after step: String) async throws {
        guard let link = links.randomElement(using: &random) else { return }
        let manifest = try await client.request("GET", link.path)
        let isOpen = installs(link)
        #expect((manifest.status == 200) == isOpen, "\(step): \(link), \(manifest.status)")
        seen[isOpen ? "open link" : "dead link", default: 0] += 1
    }

    /// Compares which builds of an app exist.
    private mutating func compareBuilds(after step: String) throws {
        let app = pick(below: apps.count)
        let there = try site.store.releaseIdentifiers(of: apps[app])
            .filter { $0 != site.release.identifier }
        let expected = model.apps[app].builds.keys.map { Self.version($0) }
        #expect(Set(there) == Set(expected), "\(step), builds of \(app)")
    }
}
