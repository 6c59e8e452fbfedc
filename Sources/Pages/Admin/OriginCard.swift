import Foundation
import Releases

/// The origin of a release: everything that was reported, and the proof of it.
struct OriginCard: Sendable {
    struct Row: Sendable {
        let label: String
        let value: String
        /// The link of the value; nil if it is not a URL.
        let url: String?
    }

    let sentence: String
    let rows: [Row]
    /// Nil for a release from before there were statements.
    let statementURL: String?
    let keyURL: String?
    let command: String?

    init(of release: Release, links: AdminReleaseLinks) {
        let isSigned = release.provenance != nil
        let told = OriginSentence(of: release)
        sentence = (isSigned ? told.text(in: .english) : told.unsigned) + "."
        let origin = release.origin
        let values: [(String, String?)] = [
            ("Tag", release.tag), ("Commit", release.commit), ("Repository", origin?.repository),
            ("Branch", origin?.branch), ("Pipeline", origin?.pipeline),
            ("Builder", origin?.builder), ("CI job", origin?.run),
            ("Published by", release.publisher), ("Signed again", release.lastSigning?.words),
        ]
        rows = values.compactMap { label, value in
            value.map { Row(label: label, value: $0, url: Self.address($0)) }
        }
        statementURL = isSigned ? links.statement : nil
        keyURL = isSigned ? links.statementKey : nil
        command =
            isSigned
            ? "ota releases verify --statement provenance.json --key server.pem --ipa App.ipa" : nil
    }

    /// Returns the link for a value that the publisher reported, only if it is the URL of a site.
    private static func address(_ text: String) -> String? {
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else { return nil }
        return URL(string: text)?.host() == nil ? nil : text
    }
}

extension Release.Signing {
    /// The signing in words: `3 March 2026 by this server, for ada, from 1a2b3c4d5e6f…`.
    fileprivate var words: String {
        "\(Wording.day(date)) by this server, for \(by), from \("\(from)".prefix(12))…"
    }
}
