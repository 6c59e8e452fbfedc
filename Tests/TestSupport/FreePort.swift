import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Ports of the loopback address, for programs that cannot choose one themselves.
///
/// A port that was free when it was asked for may be taken when the program binds it. So these are below
/// those that the system gives to connections, and each is kept for one process by a lock on a file.
package enum FreePort {
    struct NoPort: Error {}

    /// What Linux (from 32,768) and macOS (from 49,152) never choose by themselves.
    private static let range = 12_000..<32_000

    /// A port that no other caller has, in this process or another.
    ///
    /// - Throws: an error where the folder of the locks cannot be made, or every port is taken.
    package static func any() throws -> Int {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = root.appending(path: ".build/test-ports", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let first = Int.random(in: range)
        let ports = Array(first..<range.upperBound) + Array(range.lowerBound..<first)
        for port in ports {
            let file = folder.appending(path: "\(port)").path()
            let lock = unsafe open(file, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
            guard lock >= 0 else { throw NoPort() }
            // The lock ends with this process: its descriptor is never closed.
            if flock(lock, LOCK_EX | LOCK_NB) == 0, isFree(port) { return port }
            close(lock)
        }
        throw NoPort()
    }

    private static func isFree(_ port: Int) -> Bool {
        var address = loopback(UInt16(clamping: port))
        let descriptor = opened()
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, length) == 0
            }
        }
    }

    /// Whether a program listens there.
    package static func isTaken(_ port: Int) -> Bool {
        var address = loopback(UInt16(clamping: port))
        let descriptor = opened()
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(descriptor, pointer, length) == 0
            }
        }
    }

    /// The beginning of what a program answers there within five seconds.
    static func answer(to request: String, at port: Int) -> String? {
        var address = loopback(UInt16(clamping: port))
        let descriptor = opened()
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(descriptor, pointer, length) == 0
            }
        }
        guard isConnected else { return nil }
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &limit,
            socklen_t(MemoryLayout<timeval>.size),
        )
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        try? file.write(contentsOf: Data(request.utf8))
        guard let bytes = try? file.read(upToCount: 64) else { return nil }
        return String(data: bytes, encoding: .utf8)
    }

    private static func opened() -> Int32 {
        #if canImport(Glibc)
        socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        return address
    }
}
