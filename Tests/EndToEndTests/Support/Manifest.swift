import Foundation
import Phone
import PropertyLists
import Testing

/// A manifest as the installer reads it.
struct Manifest {
    let url: String
    let bundleIdentifier: String?
    /// URLs by the assets' kinds.
    let assets: [String: String]

    var archive: String { assets["software-package"] ?? "" }

    /// Returns the manifest to which a page links.
    static func on(_ page: String, _ browser: Browser) async throws -> Manifest {
        try await Manifest(at: try #require(try await url(on: page, browser)), browser)
    }

    /// Returns the URL of the manifest to which a page links; nil if it has no link.
    ///
    /// A page may be a second older than the release that it shows.
    static func url(on page: String, _ browser: Browser) async throws -> String? {
        let answer = try await browser.get(page)
        let pieces = answer.text.components(separatedBy: "action=download-manifest&amp;url=")
        return pieces.dropFirst().first?.split(separator: "\"").first
            .flatMap { String($0).removingPercentEncoding }
    }

    init(at url: String, _ browser: Browser) async throws {
        self.url = url
        let answer = try await browser.get(url)
        try #require(answer.status == 200)
        let list = try PropertyList(reading: answer.body)
        let item = try #require(list["items"]?.array?.first)
        bundleIdentifier = item["metadata"]?["bundle-identifier"]?.string
        var assets: [String: String] = [:]
        for asset in item["assets"]?.array ?? [] {
            if let kind = asset["kind"]?.string { assets[kind] = asset["url"]?.string }
        }
        self.assets = assets
    }
}
