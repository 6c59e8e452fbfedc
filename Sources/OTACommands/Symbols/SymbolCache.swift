import APIDocuments
import Bytes
import Cryptography
import Foundation
import Identifiers
import OTAClient
import Problems
import Publishing

/// Downloaded dSYMs in a folder that no other user may enter, named by their digests.
struct SymbolCache {
    let folder: String
    /// The largest total size in bytes; beyond that the oldest are removed.
    var limit = 4 << 30

    /// - Parameters:
    ///   - folder: the cache's folder; nil for `ota/symbols` in the user's cache folder.
    ///   - environment: the variables that name the user's cache folder.
    init(_ folder: String?, in environment: [String: String]) {
        let caches =
            environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.cache" : nil }
            ?? FileManager.default.temporaryDirectory.path + "/ota-\(getuid())"
        self.folder = folder ?? caches + "/ota/symbols"
    }

    /// Returns the archive of a dSYM, downloading it if it is not cached or is damaged.
    ///
    /// - Throws: `ServerFailure`, `SourceFailure`, and the system's error if nothing can be cached.
    func archive(
        of found: FoundSymbolsEntry,
        from server: RemoteAdministration,
    ) async throws -> FileSource {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700],
        )
        guard let digest = SHA256Digest(hex: found.sha256) else { throw Self.wrong(found) }
        let path = "\(folder)/\(digest).zip"
        if let file = try? FileSource(path: path), try SHA256Digest(reading: file) == digest {
            try? FileManager.default.setAttributes(
                [.modificationDate: Date()],
                ofItemAtPath: path,
            )
            return file
        }
        _ = try await server.saveSymbols(found.uuid, of: found.release, found.app, to: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let file = try FileSource(path: path)
        guard try SHA256Digest(reading: file) == digest else {
            try? FileManager.default.removeItem(atPath: path)
            throw Self.wrong(found)
        }
        makeRoom(keeping: path)
        return file
    }

    private func makeRoom(keeping newest: String) {
        let manager = FileManager.default
        let names = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
        var files = names.filter { $0.hasSuffix(".zip") }.compactMap { name in
            (try? manager.attributesOfItem(atPath: "\(folder)/\(name)")).map { facts in
                (
                    path: "\(folder)/\(name)", size: (facts[.size] as? Int) ?? 0,
                    date: (facts[.modificationDate] as? Date) ?? .distantPast,
                )
            }
        }
        files.sort { $0.date < $1.date }
        var total = files.reduce(0) { $0 + $1.size }
        for file in files where total > limit && file.path != newest {
            try? manager.removeItem(atPath: file.path)
            total -= file.size
        }
    }

    private static func wrong(_ found: FoundSymbolsEntry) -> Problem {
        Problem(
            id: "symbols.wrong-digest",
            kind: .failed,
            message: "the server sent a different file than the dSYM it announced",
            place: found.name,
            fix: "run `ota store verify` on the server",
        )
    }
}
