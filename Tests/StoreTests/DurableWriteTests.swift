import Foundation
import TestSupport
import Testing

@testable import Store

struct DurableWriteTests {
    @Test func `a file is written with its mode and nothing is left beside it`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.path() + "deep/er/secret"
            try durableWrite(Array("one".utf8), to: path)
            #expect(try mode(of: path) == 0o600)
            try durableWrite(Array("two".utf8), to: path)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "two")
            #expect(try mode(of: path) == 0o600)
            #expect(try Folder.names(in: folder.path() + "deep/er") == ["secret"])
            #expect(try mode(of: folder.path() + "deep") == 0o700)
        }
    }

    @Test func `a file for everyone has the mode it was asked for`() async throws {
        try await withTemporaryFolder { folder in
            try durableWrite([1], to: folder.path() + "page", mode: .everyoneReads)
            #expect(try mode(of: folder.path() + "page") & 0o600 == 0o600)
        }
    }

    @Test func `a failure names the step and the path and leaves nothing`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.path() + "taken"
            try Folder.make(path + "/child")
            let failure = #expect(throws: SystemFailure.self) { try durableWrite([1], to: path) }
            #expect(failure?.action == "rename")
            #expect(failure?.path == path)
            #expect(try Folder.names(in: folder.path()) == ["taken"])
        }
    }

    @Test func `every cause has a fix of its own`() {
        let codes: [(Int32, SystemFailure.Cause)] = [
            (ENOSPC, .noSpace), (EDQUOT, .quota), (EROFS, .readOnly), (EMFILE, .tooManyFiles),
            (EACCES, .notPermitted), (EIO, .medium), (ENOENT, .missing), (ELOOP, .other),
        ]
        let fixes = codes.map { code, cause in
            let failure = SystemFailure("write", "/store/x", code: code)
            #expect(failure.cause == cause)
            #expect(failure.description.hasPrefix("cannot write /store/x: "))
            return failure.fix
        }
        #expect(Set(fixes).count == codes.count)
    }

    @Test func `a link in place of a document is not followed`() async throws {
        try await withTemporaryFolder { folder in
            let store = try OTAStore.openOrCreate(at: folder.path() + "store", now: .now)
            let root = try #require(store.localFolder).root
            try Data("{}".utf8).write(to: folder.appending(path: "elsewhere"))
            try FileManager.default.createSymbolicLink(
                atPath: root + "/devices.json",
                withDestinationPath: folder.path() + "elsewhere",
            )
            #expect(throws: StoreFailure.self) { try store.devices() }
        }
    }

    private func mode(of path: String) throws -> Int {
        Int(try #require(try Folder.status(path)).st_mode & 0o777)
    }
}
