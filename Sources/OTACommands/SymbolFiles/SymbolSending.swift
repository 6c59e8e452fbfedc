import APIDocuments
import Bytes
import Foundation
import OTAClient
import Problems
import Releases
import Symbols

/// Sends dSYMs to a server, each packed separately; those that the server already has are not sent again.
struct SymbolSending {
    let server: RemoteAdministration
    let release: String
    let app: String
    let bar: ProgressBar

    /// - Returns: all dSYMs of the release, the new ones, and those that belong to none of its programs.
    /// - Throws: `ServerFailure`; `SymbolRefusal` if none belongs to the release.
    func send(_ bundles: [SymbolBundle]) async throws -> SymbolsDocument {
        var document = try await server.perform(ListSymbols(of: release, of: app))
        var added: [String] = []
        var unmatched: [String] = []
        for bundle in bundles {
            let there = Set(document.symbols.flatMap(\.images))
            if bundle.images.allSatisfy(there.contains) { continue }
            let programs = document.programs.flatMap(\.images).map(\.uuid)
            guard programs.isEmpty || bundle.images.contains(where: { programs.contains($0.uuid) })
            else {
                unmatched.append(bundle.name)
                continue
            }
            do {
                document = try await send(bundle)
                added += document.added ?? []
            } catch ServerFailure.refused(let problem) where problem.id == "symbols.unmatched" {
                unmatched.append(bundle.name)
            }
        }
        guard unmatched.count < bundles.count else { throw SymbolRefusal.unmatched(unmatched) }
        document.added = added
        document.unmatched = unmatched
        return document
    }

    private func send(_ bundle: SymbolBundle) async throws -> SymbolsDocument {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "ota-dsym-\(UUID().uuidString).zip").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        bar.update("Packing \(bundle.name)", fraction: 0)
        let file = try SecretTemporaryFile(path)
        try bundle.write { try file.append($0) }
        let archive = try FileSource(path: path)
        let size = max(archive.count, 1)
        return try await server.addSymbols(archive, to: release, of: app) { [bar] done in
            bar.update("Sending \(bundle.name)", fraction: Double(done) / Double(size))
        }
    }
}

/// A new file that only this user can read.
final class SecretTemporaryFile {
    private let handle: FileHandle

    init(_ path: String) throws {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = unsafe open(path, flags, 0o600)
        guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    }

    func append(_ bytes: [UInt8]) throws { try handle.write(contentsOf: Data(bytes)) }
}
