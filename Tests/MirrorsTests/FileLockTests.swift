import Foundation
@testable import Mirrors
import Store
import TestSupport
import Testing

@Suite struct FileLockTests {
    @Test func `a lock has one holder, and none while a program that was started still has a copy`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "lock").path(percentEncoded: false)
            var first = try FileLock(path)
            #expect(first != nil)
            #expect(try FileLock(path) == nil)
            // As between fork and exec: another descriptor for the same open file description.
            let copy = dup(try #require(Self.descriptor(of: path)))
            defer { close(copy) }
            first = nil
            #expect(try FileLock(path) != nil)
        }
    }

    @Test func `a lock that cannot be opened names the error`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.path(percentEncoded: false)
            let failure = StoreFailure.system(SystemFailure("open", path, code: EISDIR))
            #expect(throws: failure) { try FileLock(path) }
        }
    }

    private static func descriptor(of path: String) -> Int32? {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.first { name in
            (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)) == path
        }
        .flatMap { Int32($0) }
    }
}
