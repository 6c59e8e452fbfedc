import Foundation
import Identifiers
import OTAServer
import Releases
import Testing

extension ModelPair {
    /// Asks as one visitor for what there is of one app, and for one manifest that was handed out.
    mutating func compare(_ client: WireClient, after step: String) async throws {
        let device: Int? =
            Int.random(in: 0..<5, using: &random) == 0
            ? nil : Int.random(in: 0..<Self.deviceCount, using: &random)
        let number = Int.random(in: 0..<apps.count, using: &random)
        let app = model.apps[number]
        let slug = Self.slugs[number]
        let isKnown = device.map { model.states[$0] != nil } ?? false
        let what = "\(step); \(device.map { "device \($0)" } ?? "anyone"), \(slug)"
        let fields =
            device.map { ["Cookie": testers[$0].cookie, "User-Agent": TestTester.agent] } ?? [:]
        func get(_ path: String) async throws -> WireResponse {
            try await client.request("GET", path, fields)
        }
        let page = try await get("/apps/\(slug)")
        let shown = model.shown(app, to: device)
        let isWithdrawn = shown.map { app.withdrawn.contains($0) } ?? false
        switch model.entry(app, device) {
        case .granted: #expect(page.status == (isWithdrawn ? 410 : 200), "\(what)")
        case .passphrase, .waiting: #expect(page.status == 403, "\(what)")
        case .hidden:
            #expect(page.status == 404, "\(what)")
            #expect(!page.text.contains("Demo"), "\(what)")
        }
        let isGranted = model.entry(app, device) == .granted
        if isGranted { opened += 1 } else { refused += 1 }
        let start = try await get("/").text
        #expect(
            start.contains("/apps/\(slug)\"") == (isGranted && shown != nil && !isWithdrawn),
            "\(what), start page",
        )
        let channel = pick(Self.channels)
        let offered = app.offers[channel]
        let isOpen = isGranted && offered != nil && model.isOpen(app, channel, to: device)
        let code = try await get("/apps/\(slug)/qr.svg?channel=\(channel)")
        #expect(code.status == (isOpen ? 200 : 404), "\(what), code of \(channel)")
        let build = Int.random(in: 0..<Self.buildCount, using: &random)
        let release = try await get("/apps/\(slug)/\(Self.version(build))")
        let isVisible = isGranted && model.sees(app, build: build, device)
        let expected = isVisible ? (app.withdrawn.contains(build) ? 410 : 200) : 404
        if isGranted { #expect(release.status == expected, "\(what), build \(build)") }
        if isGranted {
            let history = try await get("/apps/\(slug)/history").text
            for other in app.past.keys {
                // Of one that was withdrawn, the history has no link.
                let isLinked = history.contains("/\(Self.version(other))\"")
                let isVisible = model.sees(app, build: other, device)
                #expect(
                    isLinked == (isVisible && !app.withdrawn.contains(other)),
                    "\(what), \(other)",
                )
            }
        }
        if release.status == 200, isKnown, let device, model.states[device] != .disabled {
            links.append((try release.manifestPath(on: site), number, build, device))
            if links.count > 40 { links.removeFirst(20) }
        }
        guard let link = links.randomElement(using: &random) else { return }
        let manifest = try await client.request("GET", link.path)
        let installs = model.installs(model.apps[link.app], build: link.build, link.device)
        #expect((manifest.status == 200) == installs, "\(step): \(link), \(manifest.status)")
    }
}
