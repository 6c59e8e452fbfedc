import Foundation
import Phone
import PropertyLists
import Testing

/// A manifest as the installer reads it.
struct Manifest {
    let url: String
    let bundleIdentifier: String?
    /// URLs by kind.
    let assets: [String: String]

    var archive: String { assets["software-package"] ?? "" }

    /// The one that a page's link names.
    static func on(_ page: String, _ browser: Browser) async throws -> Manifest {
        try await Manifest(at: try #require(try await url(on: page, browser)), browser)
    }

    /// The address that a page's link names; nil where the page has none.
    ///
    /// A page may be a second older than what it names.
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
