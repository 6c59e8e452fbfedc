#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Ports of the loopback address, for programs that cannot choose one themselves.
package enum FreePort {
    struct NoPort: Error {}

    package static func any() throws -> Int {
        var address = loopback(0)
        let descriptor = opened()
        defer { close(descriptor) }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, length) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isBound else { throw NoPort() }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Whether somebody listens there.
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
