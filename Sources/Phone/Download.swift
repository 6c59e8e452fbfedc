import Cryptography
import Foundation
import NIOCore

/// A download of an app to a file; bytes are hashed and written as they arrive, and not kept in memory.
final class Download {
    let file: URL
    private(set) var received = 0
    private(set) var pieces: PieceCheck?
    private let expected: PieceDigests?
    private var hasher = SHA256Hasher()
    private let handle: FileHandle

    init(into folder: URL, checking digests: PieceDigests?) throws(NetworkFailure) {
        file = folder.appending(path: "app-\(UUID().uuidString.lowercased()).ipa")
        expected = digests
        pieces = digests.map(PieceCheck.init)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data().write(to: file, options: .withoutOverwriting)
            handle = try FileHandle(forWritingTo: file)
        } catch {
            throw .disk(error.localizedDescription)
        }
    }

    /// Writes the beginning of `buffer`, up to offset `end` of the whole file.
    func take(_ buffer: ByteBuffer, upTo end: Int) throws(NetworkFailure) {
        let bytes = Array(buffer.readableBytesView.prefix(end - received))
        do {
            try handle.write(contentsOf: bytes)
        } catch {
            throw .disk(error.localizedDescription)
        }
        hasher.update(bytes)
        pieces?.update(bytes)
        received += bytes.count
    }

    /// Discards the received bytes, because the server sends the file from the start again.
    func startOver() throws(NetworkFailure) {
        do {
            try handle.truncate(atOffset: 0)
        } catch {
            throw .disk(error.localizedDescription)
        }
        received = 0
        hasher = SHA256Hasher()
        pieces = expected.map(PieceCheck.init)
    }

    func finish() throws(NetworkFailure) -> SHA256Digest {
        do {
            try handle.close()
        } catch {
            throw .disk(error.localizedDescription)
        }
        pieces?.finish()
        return hasher.finish()
    }

    func discard() {
        try? handle.close()
        try? FileManager.default.removeItem(at: file)
    }
}
