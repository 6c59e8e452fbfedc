import Bytes
import Cryptography
import Foundation
import StoreFixtures
import TestSupport
import Testing

@testable import Store

/// What every back end must do, wherever it stores bytes.
struct BackendTests {
    private let name = DocumentName(known: "apps", "com.example.app", "app.json")

    @Test(arguments: StorePlace.Kind.installed)
    func `a document is written only over the version that was read`(
        kind: StorePlace.Kind
    ) async throws {
        try await withBackend(kind) { backend, _ in
            #expect(try backend.read(name) == nil)
            let first = try backend.write([1], to: name, if: .absent)
            #expect(throws: StoreFailure.conflict(name)) {
                try backend.write([2], to: name, if: .absent)
            }
            let second = try backend.write([2], to: name, if: .version(first))
            #expect(throws: StoreFailure.conflict(name)) {
                try backend.write([3], to: name, if: .version(first))
            }
            #expect(try backend.read(name)?.bytes == [2])
            #expect(try backend.previous(of: name)?.bytes == [1])
            #expect(throws: StoreFailure.conflict(name)) { try backend.delete(name, at: first) }
            try backend.delete(name, at: second)
            #expect(try backend.read(name) == nil)
            #expect(try backend.previous(of: name) == nil)
        }
    }

    @Test(arguments: StorePlace.Kind.installed)
    func `names are listed without earlier generations`(kind: StorePlace.Kind) async throws {
        try await withBackend(kind) { backend, _ in
            let version = try backend.write([1], to: name, if: .absent)
            _ = try backend.write([2], to: name, if: .version(version))
            let folder = DocumentName(known: "apps", "com.example.app")
            #expect(try backend.names(in: folder) == ["app.json"])
            #expect(try backend.names(in: DocumentName(known: "nothing")) == [])
        }
    }

    @Test(arguments: [
        "", ".", "..", "../x", "a/../b", "/etc/passwd", "a//b", "a/", ".hidden", "-x", "a b",
        "a\\b", "a@previous", "ä", "%2e%2e", String(repeating: "x", count: 201),
        "a/b/c/d/e/f/g",
    ])
    func `a name that could lead elsewhere is refused`(text: String) {
        #expect(throws: StoreFailure.self) { try DocumentName(path: text) }
    }

    @Test func `no control character is part of a name`() {
        for scalar in (0...0x1F).map({ Character(Unicode.Scalar(UInt8($0))) }) {
            #expect(throws: StoreFailure.self) { try DocumentName(path: "a\(scalar)b") }
        }
    }

    @Test(arguments: ["store.json", "apps/com.x-1.App/releases/1.0~20~28beta~29-34.json", "~2e-1"])
    func `ordinary names are taken`(text: String) throws {
        #expect(try DocumentName(path: text).path == text)
    }

    @Test(arguments: StorePlace.Kind.installed)
    func `a line that a crash cut short is dropped by the next one`(
        kind: StorePlace.Kind
    ) async throws {
        try await withBackend(kind) { backend, place in
            let journal = DocumentName(known: "activity", "2027-01.jsonl")
            #expect(try backend.lines(of: journal) == [])
            try backend.append(Array("one".utf8), to: journal)
            try place.append("tw".utf8, to: journal.path)
            #expect(
                try backend.lines(of: journal).map { String(decoding: $0, as: UTF8.self) } == [
                    "one"
                ]
            )
            try backend.append(Array("three".utf8), to: journal)
            #expect(
                try backend.lines(of: journal).map { String(decoding: $0, as: UTF8.self) } == [
                    "one", "three",
                ]
            )
        }
    }

    @Test(arguments: StorePlace.Kind.installed)
    func `a blob comes back by ranges under its digest`(kind: StorePlace.Kind) async throws {
        try await withBackend(kind) { backend, _ in
            let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let digest = SHA256Digest(of: bytes)
            let incoming = try backend.receive()
            for start in stride(from: 0, to: bytes.count, by: 30_000) {
                let piece = Array(bytes[start..<min(start + 30_000, bytes.count)])
                try unsafe piece.withUnsafeBytes { try unsafe incoming.append($0) }
            }
            #expect(incoming.count == bytes.count)
            #expect(try incoming.source().bytes(at: 99_990, count: 10) == Array(bytes.suffix(10)))
            #expect(throws: StoreFailure.missingBlob(digest)) { try backend.open(digest) }
            try incoming.commit(as: digest)
            let stored = try backend.open(digest)
            #expect(stored.size == bytes.count)
            #expect(try stored.source.bytes(at: 50, count: 4) == Array(bytes[50..<54]))
            #expect(try backend.blobs() == [digest])
            #expect(try backend.facts(of: digest)?.size == bytes.count)
            #expect(try !backend.delete(digest, unlessPutWithin: 60))
            #expect(try backend.delete(digest, unlessPutWithin: 0))
            #expect(try backend.blobs() == [])
        }
    }

    @Test(arguments: StorePlace.Kind.installed)
    func `a file is taken in whole, also one that is empty`(kind: StorePlace.Kind) async throws {
        try await withBackend(kind) { backend, place in
            for count in [0, 1, 20 << 20] {
                let path = place.folder + "source"
                let bytes = [UInt8](repeating: 7, count: count)
                try Data(bytes).write(to: URL(filePath: path))
                let incoming = try backend.receive()
                var told = 0
                try incoming.append(contentsOf: path) { told += $0 }
                #expect(told == count && incoming.count == count)
                try incoming.commit(as: SHA256Digest(of: bytes))
                #expect(try backend.open(SHA256Digest(of: bytes)).size == count)
            }
            #expect(try backend.sweep() == 0)
        }
    }

    @Test(arguments: StorePlace.Kind.installed)
    func `putting the bytes again fixes a blob that has rotted`(kind: StorePlace.Kind) async throws
    {
        try await withBackend(kind) { backend, place in
            let store = OTAStore(backend: backend)
            // Written by another process, which remembers what it has put.
            let digest = try OTAStore(backend: backend).put(Array("good bytes".utf8))
            try place.put("bad bytes!".utf8, at: StorePlace.path(of: digest))
            let path = try backend.open(digest).path ?? digest.description
            #expect(throws: StoreFailure.damagedBlob(digest, path: path)) {
                try store.bytes(of: digest)
            }
            try store.put(Array("good bytes".utf8))
            #expect(try store.bytes(of: digest) == Array("good bytes".utf8))
        }
    }

    @Test(arguments: StorePlace.Kind.local)
    func `a second server is told that there is one`(kind: StorePlace.Kind) async throws {
        try await withBackend(kind) { backend, _ in
            do {
                let lease = try #require(try backend.claimForServer())
                #expect(throws: StoreFailure.alreadyServed(path: backend.location)) {
                    try backend.claimForServer()
                }
                withExtendedLifetime(lease) {}
            }
            #expect(try backend.claimForServer() != nil)
        }
    }

    @Test(arguments: StorePlace.Kind.installed)
    func `of many writers of one version one wins`(kind: StorePlace.Kind) async throws {
        try await withPlace(kind) { place in
            let first = try place.backend().write([0], to: name, if: .absent)
            let wins = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...8 {
                    let backend = try place.backend()
                    group.addTask {
                        try backend.writes([UInt8(number)], to: name, if: .version(first)) ? 1 : 0
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(wins == 1)
            #expect(try place.backend().previous(of: name)?.bytes == [0])
        }
    }

    @Test(arguments: StorePlace.Kind.installed)
    func `an earlier generation says that a document is lost, and stays when it comes back`(
        kind: StorePlace.Kind
    ) async throws {
        try await withBackend(kind) { backend, place in
            let first = try backend.write([1], to: name, if: .absent)
            #expect(try backend.previous(of: name)?.bytes == [1])
            let second = try backend.write([2], to: name, if: .version(first))
            try place.remove(name.path)
            #expect(throws: StoreFailure.lost(name)) { try backend.read(name) }
            #expect(throws: StoreFailure.lost(name)) { try backend.stamp(of: name) }
            #expect(throws: StoreFailure.lost(name)) {
                try backend.write([3], to: name, if: .absent)
            }
            #expect(try backend.lostDocuments() == [name])
            let third = try backend.write([2], to: name, if: .lost)
            #expect(third == second)
            #expect(throws: StoreFailure.conflict(name)) {
                try backend.write([2], to: name, if: .lost)
            }
            _ = try backend.write([1], to: name, if: .undone(third))
            #expect(try backend.previous(of: name)?.bytes == [1])
            try backend.forgetPrevious(of: name)
            #expect(try backend.previous(of: name)?.bytes == [1])
            #expect(try backend.lostDocuments() == [])
            #expect(try backend.documents() == [name])
        }
    }

    @Test(arguments: StorePlace.Kind.installed)
    func `a stamp differs once a document or its folder has changed`(
        kind: StorePlace.Kind
    ) async throws {
        try await withBackend(kind) { backend, _ in
            let folder = DocumentName(known: "apps")
            #expect(try backend.stamp(of: name) == nil && backend.stamp(of: folder) == nil)
            let version = try backend.write([1], to: name, if: .absent)
            let (document, apps) = (try backend.stamp(of: name), try backend.stamp(of: folder))
            #expect(document != nil && apps != nil)
            _ = try backend.write([2], to: name, if: .version(version))
            #expect(try backend.stamp(of: name) != document)
            let other = DocumentName(known: "apps", "com.example.other", "app.json")
            _ = try backend.write([1], to: other, if: .absent)
            #expect(try backend.stamp(of: folder) != apps)
        }
    }

    @Test(arguments: StorePlace.Kind.installed)
    func `a journal is followed from any place at which a line begins`(
        kind: StorePlace.Kind
    ) async throws {
        try await withBackend(kind) { backend, _ in
            let journal = DocumentName(known: "activity", "2027-01.jsonl")
            #expect(try backend.end(of: journal) == 0)
            for line in ["one", "two", "three"] {
                try backend.append(Array(line.utf8), to: journal)
            }
            try backend.append(Array("2".utf8), to: journal, unless: [Array("two".utf8)])
            let end = try backend.end(of: journal)
            #expect(end == 14)
            let lines = try backend.lines(of: journal, from: 4, count: 9)
            #expect(lines.map(\.end) == [8, 14])
            #expect(lines.map(\.bytes) == [Array("two".utf8), Array("three".utf8)])
            #expect(try backend.lines(of: journal, from: 4, count: 1).count == 1)
            for offset in [-1, 3, 5, end, end + 1] {
                #expect(try backend.lines(of: journal, from: offset, count: 9) == [])
            }
            let starts = try [-1, 0, 1, 4, 5, 13, 14, 99].map {
                try backend.startOfLine(in: journal, near: $0)
            }
            #expect(starts == [0, 0, 4, 4, 8, 14, 14, 14])
        }
    }

    @Test(arguments: StorePlace.Kind.installed)
    func `what must not be kept is written over, and no place moves`(
        kind: StorePlace.Kind
    ) async throws {
        try await withBackend(kind) { backend, _ in
            let journal = DocumentName(known: "installs", "2027-01.jsonl")
            for line in ["an abc", "none", "abc too"] {
                try backend.append(Array(line.utf8), to: journal)
            }
            try backend.overwrite(Array("abc".utf8), with: Array("___".utf8), in: journal)
            try backend.blank(7..<11, of: journal)
            let lines = try backend.lines(of: journal).map { String(decoding: $0, as: UTF8.self) }
            #expect(lines == ["an ___", "    ", "___ too"])
        }
    }

    @Test(arguments: StorePlace.Kind.installed)
    func `an upload goes on where it was left, and becomes a blob`(
        kind: StorePlace.Kind
    ) async throws {
        try await withBackend(kind) { backend, place in
            #expect(try backend.uploadSize("some") == nil)
            let first = try backend.upload("some")
            first.expect(10)
            try unsafe Array("hello wor".utf8).withUnsafeBytes { try unsafe first.append($0) }
            try first.truncate(to: 6)
            try first.sync()
            #expect(try backend.uploads() == ["some"])
            #expect(try backend.uploadSize("some") == 6)
            let second = try place.backend().upload("some")
            #expect(second.count == 6)
            try unsafe Array("you".utf8).withUnsafeBytes { try unsafe second.append($0) }
            let digest = SHA256Digest(of: Array("hello you".utf8))
            #expect(try second.source().bytes(at: 0, count: 9) == Array("hello you".utf8))
            try second.commit(as: digest)
            // A server that dies before it has responded finds everything unchanged.
            #expect(try backend.uploadSize("some") == 9)
            #expect(try backend.facts(of: digest)?.size == 9)
            try backend.removeUpload("some")
            #expect(try backend.uploads() == [] && backend.uploadSize("some") == nil)
            #expect(try backend.open(digest).size == 9)
            #expect(throws: StoreFailure.unusableName("../x")) { try backend.upload("../x") }
        }
    }

    @Test(arguments: StorePlace.Kind.local)
    func `a blob that is put again is young`(kind: StorePlace.Kind) async throws {
        try await withBackend(kind) { backend, place in
            let store = OTAStore(backend: backend)
            let digest = try store.put([1, 2, 3])
            let stamp = try backend.stamp(of: digest)
            try place.age(digest, by: 7_200)
            #expect(try (backend.facts(of: digest)?.age ?? 0) >= 7_200)
            try store.put([1, 2, 3])
            #expect(try backend.stamp(of: digest) != stamp)
            #expect(try !backend.delete(digest, unlessPutWithin: 3_600))
            try place.age(digest, by: 7_200)
            #expect(try backend.delete(digest, unlessPutWithin: 3_600))
            #expect(try !backend.delete(digest, unlessPutWithin: 0))
        }
    }

    @Test(arguments: StorePlace.Kind.installed)
    func `a place with other things in it is no store`(kind: StorePlace.Kind) async throws {
        try await withPlace(kind) { place in
            #expect(throws: StoreFailure.missing(path: place.root)) { try place.open() }
            try place.put([1], at: "something")
            #expect(throws: StoreFailure.notAStore(path: place.root)) { try place.open() }
            #expect(throws: StoreFailure.notAStore(path: place.root)) { try place.openOrCreate() }
        }
    }

    @Test func `a local folder is that of the directory alone`() async throws {
        try await withPlace(.folder) { place in
            let folder = try #require(try place.backend().localFolder)
            #expect(folder.root == place.root)
            #expect(try folder.path(ofUpload: "x") == place.root + "/incoming/x.upload")
            #expect(throws: StoreFailure.unusableName("..")) { try folder.path(ofUpload: "..") }
        }
        #expect(MemoryBackend().localFolder == nil)
    }

    private func withBackend(
        _ kind: StorePlace.Kind,
        _ body: (any Backend, StorePlace) throws -> Void,
    ) async throws {
        try await withPlace(kind) { place in try body(place.backend(), place) }
    }
}
