import Releases

/// Where a release came from, in plain words.
///
/// A signed statement does not prove what its publisher reported.
struct OriginSentence {
    private let release: Release

    init(of release: Release) {
        self.release = release
    }

    /// As in `Built from tag v1.2.0, commit 5f1c0de2a9b3 of github.com/vforsh/browsey, by GitHub
    /// Actions, as the publisher says; signed by this server`.
    var text: String {
        guard source != nil else { return unsigned + "; signed by this server as received" }
        return unsigned + (isBuiltHere ? "; signed by it" : "; signed by this server")
    }

    /// The same without the signature.
    var unsigned: String {
        guard let source else { return "The publisher did not say what it was built from" }
        if isBuiltHere {
            let deed = release.isSignedHere == true ? "Built and signed" : "Built"
            return "\(deed) by this server from \(source)"
        }
        let builder = release.origin?.builderName.map { ", by \($0)" } ?? ""
        return "Built from \(source)\(builder), as the publisher says"
    }

    private var isBuiltHere: Bool { release.isBuiltHere == true }

    /// `tag v1.2.0, commit 5f1c0de2a9b3 of github.com/vforsh/browsey`, as far as it is known.
    private var source: String? {
        let points = [
            release.tag.map { "tag \($0)" }, release.commit.map { "commit \($0.prefix(12))" },
        ].compactMap(\.self).joined(separator: ", ")
        guard let repository = release.origin?.repositoryName else {
            return points.isEmpty ? nil : points
        }
        return points.isEmpty ? repository : "\(points) of \(repository)"
    }
}
