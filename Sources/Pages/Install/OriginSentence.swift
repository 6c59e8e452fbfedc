import Releases
import Versions

/// The origin of a release, in plain words.
///
/// A signed statement does not prove what the publisher reported.
struct OriginSentence {
    private let release: Release

    init(of release: Release) {
        self.release = release
    }

    /// Returns a sentence such as `Built from tag v1.2.0, commit 5f1c0de2a9b3 of
    /// github.com/vforsh/browsey by GitHub Actions, according to the publisher; statement of origin signed by
    /// this server`.
    func text(in words: Words) -> String {
        guard let source = source(in: words) else { return words.text("origin.unknown") }
        if isBuiltHere {
            let key = release.isSignedHere == true ? "origin.here.signed" : "origin.here"
            return words.text(key, ["source": source])
        }
        guard let builder = release.origin?.builderName else {
            return words.text("origin.publisher", ["source": source])
        }
        return words.text("origin.builder", ["source": source, "builder": builder])
    }

    /// The same without the signature, in English.
    var unsigned: String {
        guard let source = source(in: .english) else {
            return "The publisher did not say what it was built from"
        }
        if isBuiltHere {
            let deed = release.isSignedHere == true ? "Built and code-signed" : "Built"
            return "\(deed) by this server from \(source)"
        }
        let builder = release.origin?.builderName.map { " by \($0)" } ?? ""
        return "Built from \(source)\(builder), according to the publisher"
    }

    private var isBuiltHere: Bool { release.isBuiltHere == true }

    /// Returns the known part of `tag v1.2.0, commit 5f1c0de2a9b3 of github.com/vforsh/browsey`.
    private func source(in words: Words) -> String? {
        let point: String? =
            switch (release.tag, release.commit.map { $0.shortCommit }) {
            case (let tag?, let commit?):
                words.text("source.both", ["tag": tag, "commit": commit])
            case (let tag?, nil): words.text("source.tag", ["tag": tag])
            case (nil, let commit?): words.text("source.commit", ["commit": commit])
            case (nil, nil): nil
            }
        guard let repository = release.origin?.repositoryName else { return point }
        guard let point else { return repository }
        return words.text("source.of", ["source": point, "repository": repository])
    }
}
