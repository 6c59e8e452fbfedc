import Foundation
import Releases

/// Where a release came from: everything that was reported, and what proves it.
struct OriginCard: Sendable {
    struct Row: Sendable {
        let label: String
        let value: String
        /// Where the value leads; nil for what is no address of the web.
        let url: String?
    }

    let sentence: String
    let rows: [Row]
    /// Nil for a release of a time before statements.
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

    /// A value that the publisher reported becomes a link only if it is the address of a site.
    private static func address(_ text: String) -> String? {
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else { return nil }
        return URL(string: text)?.host() == nil ? nil : text
    }
}

extension Release.Signing {
    /// `3 March 2026 by this server, for ada, from 1a2b3c4d5e6f…`.
    fileprivate var words: String {
        "\(Wording.day(date)) by this server, for \(by), from \("\(from)".prefix(12))…"
    }
}
