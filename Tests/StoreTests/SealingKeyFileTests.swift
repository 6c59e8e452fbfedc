import Cryptography
import Foundation
import Store
import TestSupport
import Testing

/// The file with the key for the encrypted secrets in the store.
struct SealingKeyFileTests {
    private func inPlace(_ body: (OTAStore, URL) throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending(path: "store").path()
            try body(try OTAStore.openOrCreate(at: root, now: .now), folder)
        }
    }

    private func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func set(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test func `a key file is made once, for its owner alone`() async throws {
        try await inPlace { store, folder in
            let file = SealingKeyFile(path: folder.appending(path: "key").path())
            #expect(throws: KeyFileRefusal.missing(file.path)) { try file.key(for: store) }
            let made = try file.keyOrNew(for: store)
            #expect(made.isNew)
            #expect(try mode(of: file.path) == 0o600)
            let again = try file.keyOrNew(for: store)
            #expect(!again.isNew && again.key.identifier == made.key.identifier)
        }
    }

    @Test func `a pipe that nobody writes to is refused at once`() async throws {
        try await inPlace { store, folder in
            let file = SealingKeyFile(path: folder.appending(path: "key").path())
            #expect(unsafe mkfifo(file.path, 0o600) == 0)
            #expect(throws: KeyFileRefusal.notAKey(file.path)) { try file.key(for: store) }
        }
    }

    @Test func `a key file that others can read, or that is none, is refused`() async throws {
        try await inPlace { store, folder in
            let file = SealingKeyFile(path: folder.appending(path: "key").path())
            _ = try file.keyOrNew(for: store)
            for wide in [0o640, 0o604, 0o660, 0o666] {
                try set(wide, of: file.path)
                #expect(throws: KeyFileRefusal.readableByOthers(file.path)) {
                    try file.key(for: store)
                }
            }
            // systemd's access control lists appear as permissions of the group.
            let credential = SealingKeyFile(path: file.path, isCredential: true)
            try set(0o440, of: file.path)
            _ = try credential.key(for: store)
            try set(0o444, of: file.path)
            #expect(throws: KeyFileRefusal.readableByOthers(file.path)) {
                try credential.key(for: store)
            }
            try set(0o600, of: file.path)
            for bytes in [Data(), Data("no key\n".utf8), Data(repeating: 7, count: 5000)] {
                try bytes.write(to: URL(filePath: file.path))
                try set(0o600, of: file.path)
                #expect(throws: KeyFileRefusal.notAKey(file.path)) { try file.key(for: store) }
            }
            try Data(repeating: 7, count: 32).write(to: URL(filePath: file.path))
            try set(0o600, of: file.path)
            let bytes = [UInt8](repeating: 7, count: 32)
            #expect(try file.key(for: store).identifier == SealingKey(bytes: bytes)?.identifier)
        }
    }

    @Test func `a key file inside the store is refused, by whichever way it leads there`()
        async throws
    {
        try await inPlace { store, folder in
            let root = folder.appending(path: "store").path()
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "link").path(),
                withDestinationPath: root,
            )
            try FileManager.default.createDirectory(
                atPath: root + "/there",
                withIntermediateDirectories: false,
            )
            for path in ["store/key", "store/there/../key", "link/key"] {
                let file = SealingKeyFile(path: folder.path() + "/" + path)
                #expect(throws: KeyFileRefusal.insideStore(file.path)) {
                    try file.keyOrNew(for: store)
                }
            }
            let inside = root + "/real"
            try Data(repeating: 7, count: 32).write(to: URL(filePath: inside))
            try set(0o600, of: inside)
            let outside = folder.appending(path: "key").path()
            try FileManager.default.createSymbolicLink(
                atPath: outside,
                withDestinationPath: inside,
            )
            #expect(throws: KeyFileRefusal.insideStore(outside)) {
                try SealingKeyFile(path: outside).key(for: store)
            }
        }
    }

    @Test func `the option counts before the variable, and that before the credential`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let credentials = folder.path()
            let named = ["OTA_KEY_FILE": "/a", "CREDENTIALS_DIRECTORY": credentials]
            #expect(SealingKeyFile(option: "/b", environment: named)?.path == "/b")
            #expect(SealingKeyFile(option: nil, environment: named)?.path == "/a")
            let without = ["OTA_KEY_FILE": "", "CREDENTIALS_DIRECTORY": credentials]
            #expect(SealingKeyFile(option: nil, environment: without) == nil)
            try Data().write(to: folder.appending(path: "ota-key"))
            let credential = SealingKeyFile(option: nil, environment: without)
            #expect(credential?.isCredential == true)
            #expect(SealingKeyFile(option: nil, environment: [:]) == nil)
        }
    }
}
