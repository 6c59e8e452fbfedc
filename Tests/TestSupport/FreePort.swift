import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Loopback ports for programs that cannot choose one themselves.
///
/// A port that was free when it was chosen may be taken when the program binds it. These ports are therefore
/// below the range that the system assigns to outgoing connections, and a file lock reserves each for one
/// process.
package enum FreePort {
    struct NoPort: Error {}

    /// Linux assigns ports from 32,768, macOS from 49,152 on.
    private static let range = 12_000..<32_000

    /// Returns a port that no other caller has, in this process or another.
    ///
    /// - Throws: an error if the folder of the locks cannot be created, or every port is taken.
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
            // The lock lasts until this process ends, since its descriptor is never closed.
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

    /// Whether a program listens on the port.
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

    /// Returns the beginning of the response on the port; nil without one within five seconds.
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
