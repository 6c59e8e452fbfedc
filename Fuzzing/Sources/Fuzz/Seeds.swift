import Bytes
import Cryptography
import Foundation
import Sample

/// The committed inputs of one kind, those that this machine adds, and who signed them.
struct Seeds {
    let authority: Certificate
    let inputs: [[UInt8]]

    /// Reads `--seeds`, and each folder of `--extra-seeds` for inputs from elsewhere.
    init(of kind: any InputKind.Type) {
        let root = URL(filePath: Arguments.value(of: "seeds") ?? "Fuzzing/Seeds")
        do {
            let text = try String(
                contentsOf: root.appending(path: Self.authorityName),
                encoding: .utf8,
            )
            authority = try Certificate.chain(pem: text)[0]
            let folders =
                [root.appending(path: kind.name)]
                + Arguments.folders(of: "extra-seeds").map { URL(filePath: $0) }
            inputs = try folders.flatMap(Self.files)
        } catch {
            stop("cannot read the seeds in \(root.path()): \(error)")
        }
    }

    private static let authorityName = "authority.pem"

    private static func files(in folder: URL) throws -> [[UInt8]] {
        guard FileManager.default.fileExists(atPath: folder.path()) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
            .map { name in
                // Foundation's reader leaks a page for each empty file.
                let file = try FileSource(path: folder.appending(path: name).path())
                return try file.bytes(at: 0, count: file.count)
            }
    }
}

extension Seeds {
    /// Makes every seed anew, under an authority whose keys are forgotten afterwards; with `--kind`,
    /// those of one kind that nobody signs.
    static func write(to folder: String) -> Never {
        let root = URL(filePath: folder)
        let name = Arguments.value(of: "kind")
        let kinds = Session.kinds.filter { name == nil || $0.name == name }
        promise(
            name == nil || kinds.allSatisfy { $0 is any PlainInputKind.Type },
            "seeds that are signed are made together",
        )
        do {
            let authority = try SeedAuthority()
            for kind in kinds {
                let place = root.appending(path: kind.name)
                try? FileManager.default.removeItem(at: place)
                try FileManager.default.createDirectory(
                    at: place,
                    withIntermediateDirectories: true,
                )
                for (name, bytes) in try kind.seeds(by: authority) {
                    try Data(bytes).write(to: place.appending(path: name))
                }
            }
            if name == nil {
                let pem = Data(authority.sample.anchorPEM.utf8)
                try pem.write(to: root.appending(path: authorityName))
            }
        } catch {
            stop("cannot write the seeds: \(error)")
        }
        exit(0)
    }
}
